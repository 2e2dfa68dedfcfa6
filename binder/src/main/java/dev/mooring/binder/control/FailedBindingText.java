// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.index.FreeSummary;
import dev.mooring.storage.model.Quantity;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why no volume was found, behind upstream's own words (D13): counters and the nearest misses, of bounded length. */
final class FailedBindingText {
    static final String NO_VOLUME = "no persistent volumes available for this claim and no storage class is set";

    /** Kubernetes refuses events with longer messages. */
    private static final int LONGEST = 1024;

    private FailedBindingText() {}

    /**
     * Words it.
     *
     * @param refusedClass the default class that the store does not let us give to the claim
     */
    static String of(FreeSummary summary, Optional<RefusedClass> refusedClass) {
        return behind(NO_VOLUME, summary, refusedClass);
    }

    /** The same behind other words of upstream, of a class by which no volume is made. */
    static String behind(String words, FreeSummary summary) {
        return behind(words, summary, Optional.empty());
    }

    private static String behind(String words, FreeSummary summary, Optional<RefusedClass> refusedClass) {
        StringBuilder text = new StringBuilder(words).append(": ");
        refusedClass.ifPresent(refusal -> text.append(refusal.text()).append("; "));
        if (summary.volumes() == 0) {
            return text.append("there are no volumes").toString();
        }
        text.append(summary.free()).append(" of ").append(summary.volumes()).append(" volumes free");
        if (!summary.excluded().isEmpty()) {
            text.append(summary.excluded().entrySet().stream()
                    .map(entry -> entry.getValue() + " " + entry.getKey().attribute())
                    .collect(Collectors.joining(", ", " (", ")")));
        }
        if (!summary.nearest().isEmpty()) {
            text.append(summary.nearest().stream()
                    .map(FailedBindingText::near)
                    .collect(Collectors.joining(", ", "; nearest: ", "")));
        }
        return text.length() <= LONGEST ? text.toString() : text.substring(0, LONGEST - 1) + "…";
    }

    private static String near(Exclusion near) {
        Quantity capacity = near.volume().spec().capacity().getOrDefault("storage", Quantity.ZERO);
        return near.volume().metadata().name() + " (" + capacity + ", "
                + near.rules().get(0).attribute() + ")";
    }
}
