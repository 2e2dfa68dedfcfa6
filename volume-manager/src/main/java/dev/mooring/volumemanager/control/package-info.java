// SPDX-License-Identifier: Apache-2.0
/**
 * The decisions of a node's agent about what its pods need; work that the binder asks for is in {@code reclaim}. Begin with {@code
 * PodVolumes}, one key for each volume of each pod, and {@code PodVolumeDecider}, which mounts and unmounts it. The controllers share what
 * the log records, {@link dev.mooring.volumemanager.control.NodeRecords}; everything else is in the caches.
 */
@NullMarked
package dev.mooring.volumemanager.control;

import org.jspecify.annotations.NullMarked;
