// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server of 1.20 was seen to say of Deployments, ReplicaSets and DaemonSets; objects in its messages are ours. */
class WorkloadRulesTest {
    private static final Validation RULES = Validation.none()
            .with(StoredKinds.DEPLOYMENT, WorkloadRules.replicated())
            .with(StoredKinds.REPLICA_SET, WorkloadRules.replicated())
            .with(StoredKinds.DAEMON_SET, WorkloadRules.daemonSet());

    private static final String GOOD = """
            {"metadata": {"name": "web", "namespace": "default"},
             "spec": {"selector": {"matchLabels": {"app": "web"}},
                      "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
            """;

    private static final Map<String, Kind<?>> KINDS = Map.of(
            "Deployment", StoredKinds.DEPLOYMENT,
            "ReplicaSet", StoredKinds.REPLICA_SET,
            "DaemonSet", StoredKinds.DAEMON_SET);

    private static Document json(String text) {
        return KubernetesJson.standard().read(text, "test");
    }

    private static Document with(String path, String value) {
        Object there =
                json("{\"value\": " + value.replace('\'', '"') + "}").asMap().get("value");
        return json(GOOD).with(there, path.split("[.]", -1));
    }

    private static String text(List<FieldError> found) {
        return found.stream().map(FieldError::toString).collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Deployment | spec.replicas | 2 | ~~
            Deployment | spec.replicas | -1 | spec.replicas: Invalid value: -1: must be greater than or equal to 0
            Deployment | spec.selector | null | spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`
            DaemonSet | spec.selector | null | spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`
            Deployment | spec.selector | {} | spec.selector: Invalid value: {}: empty selector is invalid for deployment
            ReplicaSet | spec.selector | {} | spec.selector: Invalid value: {}: empty selector is invalid for deployment
            DaemonSet | spec.selector | {} | spec.selector: Invalid value: {}: empty selector is invalid for daemonset
            Deployment | spec.selector | {'matchLabels':{'app':'db'}} | spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`
            DaemonSet | spec.selector | {'matchExpressions':[{'key':'a','operator':'Odd'}]} | spec.selector.matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator
            Deployment | spec.template.spec.restartPolicy | 'Never' | spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"
            Deployment | spec.template.spec.activeDeadlineSeconds | 5 | spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported
            DaemonSet | spec.template.spec.activeDeadlineSeconds | 5 | spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported
            ReplicaSet | spec.template.spec.containers | [] | spec.template.spec.containers: Required value
            """)
    void saysWhatIsWrong(String kind, String path, String value, String problem) {
        assertThat(text(RULES.onCreate(KINDS.get(kind), with(path, value)))).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource({"Deployment", "ReplicaSet", "DaemonSet"})
    void theSelectorStaysAsItIs(String kind) {
        Document other = with("spec.selector.matchLabels.tier", "'a'")
                .with("a", "spec", "template", "metadata", "labels", "tier");
        assertThat(text(RULES.onUpdate(KINDS.get(kind), json(GOOD), other)))
                .isEqualTo(
                        "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"web\",\"tier\":\"a\"}}: field is immutable");
    }
}
