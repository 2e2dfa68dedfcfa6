// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks. Each class names in its Javadoc the command that runs it. */
@NullMarked
package dev.mooring.benchmarks;

import org.jspecify.annotations.NullMarked;
