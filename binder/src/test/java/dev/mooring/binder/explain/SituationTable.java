// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stuck situations of some kinds of objects, one row each. */
abstract class SituationTable {
    final List<StuckSituation> all = new ArrayList<>();

    final void add(
            Kind<?> kind,
            String object,
            String name,
            String answer,
            CauseCode code,
            Optional<RemedyKind> first,
            KubernetesObject... objects) {
        ObjectKey key = kind.namespaced() ? ObjectKey.of("default", object) : ObjectKey.cluster(object);
        all.add(new StuckSituation(
                name, List.of(objects), kind, key, kind.name() + " " + key + " is " + answer, code, first));
    }

    final void pod(String name, String answer, CauseCode code, RemedyKind first, KubernetesObject... objects) {
        add(Kinds.POD, "web", name, answer, code, Optional.of(first), objects);
    }

    /** A pod for which only programs have to act. */
    final void pod(String name, String answer, CauseCode code, KubernetesObject... objects) {
        add(Kinds.POD, "web", name, answer, code, Optional.empty(), objects);
    }
}
