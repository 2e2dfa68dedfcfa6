// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Those who want a volume that their node has under another name than theirs: two volume objects may lead to one storage by different
 * ways. An attachment stands for one name, under which the node uses the volume and lets go of it; who calls it otherwise waits until that
 * has been, and is told so. Pure.
 *
 * @param waiting who waits
 * @param users who has it under the name of the attachment
 */
record OtherNames(List<DesiredAttachment> waiting, List<DesiredAttachment> users) {
    static OtherNames of(ActualAttachment known, Collection<DesiredAttachment> all) {
        return new OtherNames(
                all.stream()
                        .filter(want -> !known.serves(want) && !want.podDeleting() && !want.remembered())
                        .toList(),
                all.stream().filter(known::serves).toList());
    }

    /** Tells each what is new for it, whatever else is decided. */
    Decision told(Decision decision, AttachmentState before) {
        if (waiting.isEmpty()) {
            return decision;
        }
        AttachmentState after =
                decision.state().map(AttachmentState.class::cast).orElse(AttachmentState.NONE);
        Map<String, String> told = new TreeMap<>(after.told());
        List<Effect> news = new ArrayList<>();
        for (DesiredAttachment want : waiting) {
            String now = AttachEvents.underAnotherName(want, users);
            told.put(want.key(), now);
            if (!now.equals(before.told().get(want.key()))) {
                news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, now));
            }
        }
        return decision.withState(after.telling(told)).and(news);
    }
}
