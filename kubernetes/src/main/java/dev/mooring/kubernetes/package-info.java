// SPDX-License-Identifier: Apache-2.0
/**
 * A real API server as the store: {@link dev.mooring.kubernetes.Connection} says where it is, {@link
 * dev.mooring.kubernetes.KubernetesStore} reads, writes and watches there. {@link dev.mooring.kubernetes.LeaderElection} runs work in one
 * of several processes, by a Lease.
 */
@NullMarked
package dev.mooring.kubernetes;

import org.jspecify.annotations.NullMarked;
