// SPDX-License-Identifier: Apache-2.0
/** What a helper needs who cannot see the cluster, in one file and without secrets. */
@NullMarked
package dev.mooring.distribution.support;

import org.jspecify.annotations.NullMarked;
