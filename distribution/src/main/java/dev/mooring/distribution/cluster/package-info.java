// SPDX-License-Identifier: Apache-2.0
/** What commands ask of a running cluster, and write into it, on behalf of a person. */
@NullMarked
package dev.mooring.distribution.cluster;

import org.jspecify.annotations.NullMarked;
