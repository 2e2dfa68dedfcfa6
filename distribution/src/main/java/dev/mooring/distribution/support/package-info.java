// SPDX-License-Identifier: Apache-2.0
/** What somebody needs who helps from afar, in one file, and no secret in it. */
@NullMarked
package dev.mooring.distribution.support;

import org.jspecify.annotations.NullMarked;
