// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.wanted.Device;
import java.util.Optional;

/**
 * That a pod of this node needs a volume and could have it.
 *
 * @param pod the pod
 * @param volumeId whose storage it is
 * @param singlePod whether only one pod may have it at a time (S9)
 * @param device what the node has to do before; absent if nothing
 */
record VolumeNeed(PodRef pod, VolumeId volumeId, boolean singlePod, Optional<Device> device) {}
