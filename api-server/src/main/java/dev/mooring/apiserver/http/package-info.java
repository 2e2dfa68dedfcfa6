// SPDX-License-Identifier: Apache-2.0
/**
 * What all HTTP servers of Mooring share: how they are started and stopped, and which requests they refuse at once.
 */
@NullMarked
package dev.mooring.apiserver.http;

import org.jspecify.annotations.NullMarked;
