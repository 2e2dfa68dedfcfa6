// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.distribution.page.LifeStore.Subject;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The texts of events by what they are about, for a search. Read again at a search, at most every five seconds. Thread-safe. */
final class PageEventTexts {
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Map<String, PageKind> KINDS = Map.of(
            "PersistentVolumeClaim", PageKind.CLAIMS,
            "PersistentVolume", PageKind.VOLUMES,
            "VolumeAttachment", PageKind.ATTACHMENTS,
            "Pod", PageKind.PODS,
            "Node", PageKind.NODES);

    private final PageWorld world;
    private final TimeSource time;

    // Guarded by this.
    private Map<Subject, String> texts = Map.of();
    private long read;

    PageEventTexts(PageWorld world, TimeSource time) {
        this.world = world;
        this.time = time;
        this.read = time.now().monotonicNanos() - FRESH.toNanos();
    }

    /** In lower case. */
    synchronized Map<Subject, String> now() {
        if (time.now().monotonicNanos() - read >= FRESH.toNanos()) {
            Map<Subject, String> fresh = new HashMap<>(world.lifeLines().eventTexts());
            for (Event event : world.reads().events()) {
                ObjectReference about = event.involvedObject();
                PageKind kind = KINDS.get(about.kind());
                if (kind != null) {
                    String text = event.reason() + " " + event.message() + "\n";
                    fresh.merge(
                            new Subject(kind, ObjectKey.of(about.namespace(), about.name())),
                            text.toLowerCase(Locale.ROOT),
                            String::concat);
                }
            }
            texts = Map.copyOf(fresh);
            read = time.now().monotonicNanos();
        }
        return texts;
    }
}
