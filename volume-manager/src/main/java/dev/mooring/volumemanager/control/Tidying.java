// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.volumemanager.NodeConfig;
import java.util.List;

/** What takes away what pods that are gone have left on the node. People hear of it at the Node. */
abstract class Tidying extends NodeController {
    private static final String COMPONENT = "kubelet";

    final NodeRecords records;

    Tidying(NodeConfig config, NodeRecords records) {
        super(config);
        this.records = records;
    }

    @Override
    public final List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.POD);
    }

    /** Pods that wait for their volumes come first. */
    @Override
    public final Rank rank(Key key) {
        return Rank.tier(300);
    }

    /** Does it now, or when what failed the last time may be tried again. */
    final Decision attempt(Situation situation, Effect.Perform effect) {
        return situation
                .backoff(effect.operation())
                .map(wait -> Decision.nothing().wakeAfter(wait))
                .orElseGet(() -> Decision.act(effect))
                .concerning(Concerned.node("TidyingFailed", config, situation.caches()));
    }

    /** An event on the Node; none as long as the cluster has no such Node. */
    final List<Effect> events(Situation situation, boolean warning, String reason, String message) {
        return situation
                .caches()
                .get(Kinds.NODE, ObjectKey.cluster(config.node().name()))
                .map(node -> warning
                        ? Announcement.warning(Kinds.NODE, node, reason, message, COMPONENT)
                        : Announcement.normal(Kinds.NODE, node, reason, message, COMPONENT))
                .map(List::of)
                .orElse(List.of());
    }
}
