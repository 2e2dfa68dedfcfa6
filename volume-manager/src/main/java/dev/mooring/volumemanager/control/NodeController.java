// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.volumemanager.NodeConfig;
import java.util.Optional;

/**
 * A controller of a node's agent: it follows what concerns its node, and other controllers of the same loop wake its keys. Confined to the
 * decider.
 */
abstract class NodeController implements Controller {
    final NodeConfig config;
    private Optional<Mailbox> own = Optional.empty();

    NodeController(NodeConfig config) {
        this.config = config;
    }

    @Override
    public final Interest interest(Kind<?> kind) {
        return NodeInterest.of(kind, config);
    }

    @Override
    public void started(Mailbox mailbox) {
        own = Optional.of(mailbox);
    }

    /** Asks for a decision. Before the start there is nothing to decide. */
    final void recheck(Key key) {
        own.ifPresent(mailbox -> mailbox.recheck(key));
    }

    /** The same, because something that the key depends on has changed. */
    final void inputChanged(Key key) {
        own.ifPresent(mailbox -> mailbox.inputChanged(key));
    }

    /** Whether the pod has the volume now: it was published in this boot, and nothing is being undone. */
    final boolean isPublished(Publish record) {
        return record.phase() == RecordPhase.DONE && record.bootId().equals(config.bootId());
    }

    /** The pod of a record; not another one that has its name now. */
    static Optional<Pod> podOf(Publish record, Caches caches) {
        return caches.get(
                        Kinds.POD,
                        ObjectKey.of(record.pod().namespace(), record.pod().name()))
                .filter(pod -> pod.metadata().uid().equals(record.pod().uid()));
    }
}
