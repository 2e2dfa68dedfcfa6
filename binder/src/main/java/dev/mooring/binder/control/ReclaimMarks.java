// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import java.util.List;

/** The annotations that stand on a volume while its storage is being reclaimed (D6, {@link NodeIntent}). */
final class ReclaimMarks {
    static final List<String> ALL = List.of(Annotations.RECLAIMING, NodeIntent.RECLAIM_ON, NodeIntent.RECLAIM_RESULT);

    private ReclaimMarks() {}
}
