// SPDX-License-Identifier: Apache-2.0
/** What attaching and detaching count, under Kubernetes' names. */
@NullMarked
package dev.mooring.attachdetach.metrics;

import org.jspecify.annotations.NullMarked;
