// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.explain.Explanation.Awaited;
import dev.mooring.binder.explain.Explanation.Cause;
import dev.mooring.binder.explain.Explanation.Excluded;
import dev.mooring.binder.explain.Explanation.NearMiss;
import dev.mooring.binder.explain.Explanation.Remedy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What has been found out so far. */
final class ExplanationFindings {
    final List<Cause> causes = new ArrayList<>();
    final List<Excluded> excluded = new ArrayList<>();
    final List<NearMiss> nearest = new ArrayList<>();
    final List<Awaited> awaited = new ArrayList<>();
    final List<Remedy> remedies = new ArrayList<>();
    final List<String> facts = new ArrayList<>();

    ExplanationFindings cause(CauseCode code, String text) {
        if (causes.stream().noneMatch(known -> known.code() == code)) {
            causes.add(new Cause(code, text));
        }
        return this;
    }

    /** One of several causes of a code, each of another object. */
    ExplanationFindings anotherCause(CauseCode code, String text) {
        causes.add(new Cause(code, text));
        return this;
    }

    ExplanationFindings awaits(String actor, String what, Optional<Instant> since) {
        awaited.add(new Awaited(actor, what, since));
        return this;
    }

    ExplanationFindings remedy(RemedyKind kind, String text, RemedyAction... actions) {
        return remedy(new Remedy(kind, text, List.of(actions), List.of()));
    }

    ExplanationFindings remedy(Remedy remedy) {
        if (!remedies.contains(remedy)) {
            remedies.add(remedy);
        }
        return this;
    }
}
