// SPDX-License-Identifier: Apache-2.0
/** The controller of StatefulSets, for stores without Kubernetes behind them. */
@NullMarked
package dev.mooring.clusterstore.statefulset;

import org.jspecify.annotations.NullMarked;
