// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.List;

/** Sizes (S17) and the events for people (S15), of semantics/attach-and-mount §7.7. */
final class SizeAndMessageInvariants implements Invariant {
    private static final String STORAGE = "storage";
    private static final List<Kind<?>> OTHERS = List.of(Kinds.POD, Kinds.PERSISTENT_VOLUME_CLAIM);

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.ours()
                && write.before().isPresent()
                && write.before().get() instanceof PersistentVolumeClaim before
                && write.after().isPresent()
                && write.after().get() instanceof PersistentVolumeClaim after
                && before.metadata().uid().equals(after.metadata().uid())
                && before.status().phase() == ClaimPhase.BOUND
                && after.status().phase() == ClaimPhase.BOUND
                && before.spec().volumeName().equals(after.spec().volumeName())) {
            Quantity was = before.status().capacity().getOrDefault(STORAGE, Quantity.ZERO);
            Quantity is = after.status().capacity().getOrDefault(STORAGE, Quantity.ZERO);
            findings.require(is.compareTo(was) >= 0, "S17", write.key() + " shrinks from " + was + " to " + is);
        }
    }

    @Override
    public void told(WorldView world, Announcement news, Findings findings) {
        if (!news.kind().namespaced()) {
            return;
        }
        for (Kind<?> kind : OTHERS) {
            for (KubernetesObject other : world.all(kind)) {
                String namespace = other.metadata().namespace();
                boolean foreign = !namespace.equals(news.object().namespace());
                boolean told =
                        foreign && news.message().contains(other.metadata().name());
                findings.require(
                        !told || other.metadata().name().length() < 4,
                        "S15",
                        news.object() + " has an event that names " + namespace + "/"
                                + other.metadata().name() + ": " + news.message());
            }
        }
    }
}
