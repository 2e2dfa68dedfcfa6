// SPDX-License-Identifier: Apache-2.0
/** What paths name. */
@NullMarked
package dev.mooring.apiserver.resource;

import org.jspecify.annotations.NullMarked;
