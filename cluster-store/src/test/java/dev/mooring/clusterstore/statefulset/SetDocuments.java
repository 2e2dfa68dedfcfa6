// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sets and what belongs to them, as documents, and plans told in short words. */
final class SetDocuments {
    static final Instant NOW = Instant.parse("2024-01-01T00:01:00Z");
    static final String SET = """
            {"apiVersion":"apps/v1","kind":"StatefulSet",
             "metadata":{"name":"web","namespace":"ns","uid":"set-uid","resourceVersion":"7","generation":3},
             "spec":{"replicas":3,"serviceName":"svc","selector":{"matchLabels":{"app":"web"}},
              "updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}},
              "template":{"metadata":{"labels":{"app":"web","tier":"a"},"annotations":{"note":"kept"}},
               "spec":{"containers":[{"name":"c","image":"one"}],"volumes":[{"name":"data","emptyDir":{}},{"name":"tmp","emptyDir":{}}]}},
              "volumeClaimTemplates":[{"metadata":{"name":"data","labels":{"of":"template"}},
               "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}}""";

    private SetDocuments() {}

    static Document json(String text) {
        return KubernetesJson.standard().read(text.replace('\'', '"'), "test");
    }

    static Document set() {
        return json(SET);
    }

    /** The revision that the set's template makes, as it is stored. */
    static Document revision(Document set, long number) {
        return new SetRevisions(new SetSpec(set), List.of()).made().with(number, "revision");
    }

    static Document withImage(Document set, String image) {
        return set.with(List.of(Map.of("name", "c", "image", image)), "spec", "template", "spec", "containers");
    }

    /**
     * A pod as it is stored.
     *
     * @param state {@code pending}, {@code ready}, {@code running}, {@code failed}, {@code succeeded}; {@code !} after it if it is terminating
     */
    static Document pod(Document set, Document revision, long ordinal, String state) {
        SetSpec spec = new SetSpec(set);
        Document pod = PodMaking.pod(spec, spec.template(), Fields.name(revision), ordinal)
                .with("pod-" + ordinal, "metadata", "uid");
        if (state.endsWith("!")) {
            pod = pod.with("2024-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        }
        String bare = state.replace("!", "");
        if (bare.equals("ready")) {
            Map<String, String> condition =
                    Map.of("type", "Ready", "status", "True", "lastTransitionTime", "2024-01-01T00:00:30Z");
            return pod.with("Running", "status", "phase").with(List.of(condition), "status", "conditions");
        }
        return pod.with(bare.substring(0, 1).toUpperCase(Locale.ROOT) + bare.substring(1), "status", "phase");
    }

    /** The claims of the ordinals from 0, as they were made. */
    static Map<String, Document> claims(Document set, long count) {
        SetSpec spec = new SetSpec(set);
        Map<String, Document> claims = new HashMap<>();
        for (long ordinal = 0; ordinal < count; ordinal++) {
            Document claim = PodMaking.claim(spec, spec.claimTemplates().get(0), ordinal);
            claims.put(Fields.name(claim), claim);
        }
        return claims;
    }

    /** Such as {@code make web-0}, {@code end web-2}, {@code replace data-web-1}. */
    static List<String> told(StatefulSetPlan plan) {
        List<String> told = new ArrayList<>();
        for (SetAct act : plan.acts()) {
            if (act instanceof SetAct.MakePod made) {
                String claims = made.claims().isEmpty()
                        ? ""
                        : " with "
                                + String.join(
                                        "+",
                                        made.claims().stream().map(Fields::name).toList());
                told.add("make " + Fields.name(made.pod()) + claims
                        + made.obstacle().map(why -> " but " + why).orElse(""));
            } else if (act instanceof SetAct.EndPod end) {
                told.add("end " + Fields.name(end.pod()));
            } else if (act instanceof SetAct.Replace replace) {
                told.add("replace " + Fields.name(replace.object()));
            } else if (act instanceof SetAct.Adopt adopt) {
                told.add("adopt " + Fields.name(adopt.object()));
            } else if (act instanceof SetAct.MakeRevision made) {
                told.add("revision "
                        + Fields.integer(made.revision(), "revision").orElse(0L));
            } else if (act instanceof SetAct.MakeClaims made) {
                told.add("claims for " + made.pod());
            } else if (act instanceof SetAct.ForgetRevision) {
                told.add("forget");
            }
        }
        return told;
    }
}
