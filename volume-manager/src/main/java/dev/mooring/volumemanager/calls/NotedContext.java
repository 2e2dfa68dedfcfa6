// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.VolumeNotes;

/** The context of a call about a volume that has notes, but no record on the node. */
record NotedContext(OperationContext call, VolumeNotes notes) implements ForwardingContext {}
