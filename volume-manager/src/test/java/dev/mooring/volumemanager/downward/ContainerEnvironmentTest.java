// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.EnvVar;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.spi.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerEnvironmentTest {
    private static EnvVar plain(String name, String value) {
        return new EnvVar(name, value, Optional.empty());
    }

    private static EnvVar from(String name, Map<String, ?> source) {
        return new EnvVar(name, "", Optional.of(Document.of(source)));
    }

    private static EnvVar field(String name, String path) {
        return from(name, Map.of("fieldRef", Map.of("fieldPath", path)));
    }

    private static EnvVar resource(String name, String resource) {
        return from(name, Map.of("resourceFieldRef", Map.of("resource", resource, "divisor", "1Mi")));
    }

    private static final List<EnvVar> VARIABLES = List.of(
            plain("EARLY", "before $(LATE)"),
            plain("LATE", "late"),
            plain("CHAIN", "$(LATE)/$(LATE)$$(LATE)"),
            plain("EMPTY", ""),
            plain("TWICE", "first"),
            plain("TWICE", "$(TWICE) second"),
            field("POD", "metadata.name"),
            field("NAMESPACE", "metadata.namespace"),
            field("UID", "metadata.uid"),
            field("NODE", "spec.nodeName"),
            field("ACCOUNT", "spec.serviceAccountName"),
            field("LABEL", "metadata.labels['app']"),
            field("NO_LABEL", "metadata.labels['other']"),
            field("NOTE", "metadata.annotations['a/b']"),
            field("LABELS", "metadata.labels"),
            field("IP", "status.podIP"),
            resource("MEMORY", "limits.memory"),
            resource("CPU", "limits.cpu"),
            from("SECRET", Map.of("secretKeyRef", Map.of("name", "s", "key", "k"))),
            from("CONFIG", Map.of("configMapKeyRef", Map.of("name", "c", "key", "k", "optional", true))),
            plain("OF_SECRET", "x-$(SECRET)"),
            plain("OF_SERVICE", "$(KUBERNETES_SERVICE_HOST)"));

    private static Outcome<String> expand(String expression, List<Document> envFrom) {
        Container container = new Container("main", "image", List.of(), List.of())
                .withEnv(VARIABLES)
                .withEnvFrom(envFrom)
                .withResources(
                        Optional.of(ResourceRequirements.EMPTY.withLimits(Map.of("memory", Quantity.parse("64Mi")))));
        ObjectMeta meta = ObjectMeta.named("ns", "web")
                .withUid("uid-1")
                .withLabels(Map.of("app", "shop"))
                .withAnnotations(Map.of("a/b", "note"));
        Pod pod = Pod.of(
                        "ns",
                        "web",
                        PodSpec.EMPTY
                                .withNodeName("n1")
                                .withServiceAccountName("robot")
                                .withContainers(List.of(container)))
                .withMetadata(meta);
        return ContainerEnvironment.of(pod, container).expandPath(expression);
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "$$(LATE), $(LATE)",
        "a/$(LATE), a/late",
        "$(EARLY), before $(LATE)",
        "$(CHAIN), late/late$(LATE)",
        "$(TWICE), first second",
        "$(NAMESPACE)/$(POD)/$(UID), ns/web/uid-1",
        "$(NODE)-$(ACCOUNT), n1-robot",
        "$(LABEL)$(NOTE), shopnote",
        "$(MEMORY), 64",
    })
    void expands(String expression, String expected) {
        assertThat(expand(expression, List.of())).isEqualTo(Outcome.done(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "$(ABSENT), INVALID, missing value for ABSENT",
        "$(Z)/$(LATE)/$(A), INVALID, 'missing value for A, Z'",
        "$(EMPTY), INVALID, missing value for EMPTY",
        "$(NO_LABEL), INVALID, missing value for NO_LABEL",
        "$(), INVALID, missing value for",
        "$(SECRET), UNSUPPORTED, variable SECRET comes from secretKeyRef",
        "$(CONFIG), UNSUPPORTED, variable CONFIG comes from configMapKeyRef",
        "$(OF_SECRET), UNSUPPORTED, variable SECRET comes from secretKeyRef",
        "$(IP), UNSUPPORTED, variable IP comes from field status.podIP",
        "$(LABELS), UNSUPPORTED, variable LABELS comes from field metadata.labels",
        "$(CPU), UNSUPPORTED, variable CPU comes from resourceFieldRef limits.cpu",
        "$(OF_SERVICE), UNSUPPORTED, variable KUBERNETES_SERVICE_HOST may be that of a service",
        "$(WEB_PORT_80_TCP_ADDR), UNSUPPORTED, variable WEB_PORT_80_TCP_ADDR may be that of a service",
    })
    void refuses(String expression, String kind, String words) {
        Outcome<String> answer = expand(expression, List.of());
        assertThat(kindOf(answer)).isEqualTo(kind);
        assertThat(answer.message()).contains(words);
    }

    @Test
    void whatOtherObjectsMayDefineIsNotGuessed() {
        List<Document> envFrom = List.of(Document.of(Map.of("configMapRef", Map.of("name", "c"))));
        assertThat(expand("$(LATE)", envFrom)).isEqualTo(Outcome.done("late"));
        Outcome<String> absent = expand("$(ABSENT)", envFrom);
        assertThat(kindOf(absent)).isEqualTo("UNSUPPORTED");
        assertThat(absent.message()).contains("variable ABSENT may come from envFrom");
        assertThat(expand("$(EARLY)", envFrom).message()).contains("variable LATE may come from envFrom");
    }
}
