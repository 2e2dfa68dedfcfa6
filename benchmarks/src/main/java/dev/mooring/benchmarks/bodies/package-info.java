// SPDX-License-Identifier: Apache-2.0
/** What odd bodies of requests cost beside plain ones of the same size. */
@NullMarked
package dev.mooring.benchmarks.bodies;

import org.jspecify.annotations.NullMarked;
