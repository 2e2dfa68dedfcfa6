// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.ObjectKey;
import java.util.HashSet;
import java.util.Set;

/** What a bind under way waits for: its claims, their volumes, its node. Pure. */
final class BindQueueingHints {
    private BindQueueingHints() {}

    static Set<QueueingHint> of(Assumption assumption, SchedulingView view) {
        Set<QueueingHint> cues = new HashSet<>();
        cues.add(QueueingHint.of(Source.NODE, assumption.node()));
        assumption.bindings().forEach(binding -> {
            cues.add(QueueingHint.claim(binding.claim()));
            cues.add(QueueingHint.of(Source.VOLUME, binding.volume()));
        });
        assumption.provisions().forEach(provision -> addClaim(provision.claim(), view, cues));
        assumption.bound().forEach(claim -> addClaim(claim, view, cues));
        return cues;
    }

    private static void addClaim(ObjectKey key, SchedulingView view, Set<QueueingHint> cues) {
        cues.add(QueueingHint.claim(key));
        view.claim(key)
                .map(claim -> claim.spec().volumeName())
                .filter(volume -> !volume.isEmpty())
                .ifPresent(volume -> cues.add(QueueingHint.of(Source.VOLUME, volume)));
    }
}
