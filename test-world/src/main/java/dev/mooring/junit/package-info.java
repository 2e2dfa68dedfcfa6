// SPDX-License-Identifier: Apache-2.0
/** A cluster for the tests of operators, as a JUnit extension; {@link dev.mooring.junit.MooringCluster} is where to begin. */
@NullMarked
package dev.mooring.junit;

import org.jspecify.annotations.NullMarked;
