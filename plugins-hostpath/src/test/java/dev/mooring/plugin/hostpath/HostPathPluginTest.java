// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.plugin.hostpath.local.LocalPlugin;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.FileIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathPluginTest {
    private final HostPathPlugin plugin = new HostPathPlugin();

    @Test
    void describesItself() {
        assertThat(plugin.describe().name().value()).isEqualTo("kubernetes.io/host-path");
        assertThat(plugin.describe().sourceTypes()).containsExactly("hostPath");
        assertThat(plugin.describe().reclaimPlace()).isEqualTo(Place.NODE);
        for (Class<? extends Capability> there :
                List.of(Provisioning.class, Deleting.class, Recycling.class, Publishing.class)) {
            assertThat(plugin.capability(there)).isPresent();
        }
        assertThat(plugin.capability(Staging.class)).isEmpty();
    }

    @Test
    void isDeclaredAsAServiceForModulePathAndClassPath() throws IOException {
        String service = "META-INF/services/" + StoragePlugin.class.getName();
        try (InputStream file = HostPathPlugin.class.getModule().getResourceAsStream(service)) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactly(HostPathPlugin.class.getName(), LocalPlugin.class.getName());
        }
        assumeTrue(HostPathPlugin.class.getModule().isNamed(), "run on the class path");
        ModuleDescriptor descriptor = HostPathPlugin.class.getModule().getDescriptor();
        assertThat(descriptor.exports()).isEmpty();
        assertThat(descriptor.provides()).singleElement().satisfies(provides -> {
            assertThat(provides.service()).isEqualTo(StoragePlugin.class.getName());
            assertThat(provides.providers())
                    .containsExactly(HostPathPlugin.class.getName(), LocalPlugin.class.getName());
        });
    }

    @ParameterizedTest(name = "H4 ''{0}'' {1}")
    @CsvSource({
        "'', is required",
        "relative/path, must be an absolute path",
        "., must be an absolute path",
        "/a/../b, must not contain '..'",
        "/.., must not contain '..'",
        "../a, must not contain '..'"
    })
    void h04_refusesRelativePathsAndBackSteps(String path, String rule) {
        assertThat(plugin.validate(HostPathNode.source(path, "")))
                .containsExactly(new FieldProblem("spec.hostPath.path", rule.replace("' '", "''")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a//b/./c/", "/..a/b..", "/with blank"})
    void acceptsPaths(String path) {
        assertThat(plugin.validate(HostPathNode.source(path, "Directory"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"directory", "Dir", " ", "DirectoryOrcreate"})
    void refusesUnknownTypes(String type) {
        assertThat(plugin.validate(HostPathNode.source("/a", type)))
                .extracting(FieldProblem::field)
                .containsExactly("spec.hostPath.type");
    }

    @ParameterizedTest
    @CsvSource({"/a//b/./c/, /a/b/c", "/, /", "/a, /a"})
    void identifiesByTheNormalisedPath(String path, String backend) {
        assertThat(plugin.identify(HostPathNode.source(path, "")).backend()).isEqualTo(backend);
    }

    @Test
    @DisplayName("H7 the plan has node affinity, size, mode of access and no enforced capacity")
    void h07_plansAffinitySizeAndModes() {
        VolumeTemplate plan = HostPathNode.value(plugin.plan(HostPathNode.request("pvc-1", Map.of("gid", "4711"))));

        assertThat(plan.nodeAffinity().orElseThrow().matches(Map.of("kubernetes.io/hostname", "node-1")))
                .isTrue();
        assertThat(plan.nodeAffinity().orElseThrow().matches(Map.of("kubernetes.io/hostname", "node-2")))
                .isFalse();
        assertThat(plan.capacity()).isEqualTo(Quantity.parse("1Gi"));
        assertThat(plan.accessModes()).containsExactly(AccessMode.READ_WRITE_ONCE);
        assertThat(plan.annotations())
                .containsEntry("mooring.dev/capacity-enforced", "false")
                .containsEntry("pv.beta.kubernetes.io/gid", "4711");
        assertThat(plan)
                .isEqualTo(HostPathNode.value(plugin.plan(HostPathNode.request("pvc-1", Map.of("gid", "4711")))));
    }

    @ParameterizedTest
    @CsvSource({"root, /etc", "path, /etc", "mode, 999", "mode, 7777", "gid, -1", "gid, x"})
    @DisplayName("H7 a class chooses neither the root nor anything unknown")
    void h07_refusesUnknownParameters(String key, String value) {
        assertThat(HostPathNode.answer(plugin.plan(HostPathNode.request("pvc-1", Map.of(key, value)))))
                .isEqualTo("INVALID");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "a/b", "", ".", "a..", "UPPER"})
    void refusesNamesThatCannotNameADirectory(String name) {
        ProvisionRequest request = HostPathNode.request(name, Map.of());

        assertThat(HostPathNode.answer(plugin.plan(request))).isEqualTo("INVALID");
    }

    @Test
    @DisplayName("H7 the affinity is on the label that schedulers look at, and the root is the operator's")
    void h07_plansWithTheHostnameLabelBelowTheConfiguredRoot() {
        StoragePlugin configured = HostPathNode.value(plugin.configured(Map.of("root", "/srv/volumes")));
        ProvisionRequest request = HostPathNode.request("pvc-1", Map.of())
                .withNodeLabels(Map.of("kubernetes.io/hostname", "host-1.example"));

        VolumeTemplate plan = HostPathNode.value(
                configured.capability(Provisioning.class).orElseThrow().plan(request));

        assertThat(plan.source()).isEqualTo(HostPathNode.source("/srv/volumes/v/pvc-1", "Directory"));
        assertThat(plan.nodeAffinity().orElseThrow().matches(Map.of("kubernetes.io/hostname", "host-1.example")))
                .isTrue();
        assertThat(plan.nodeAffinity().orElseThrow().matches(Map.of("kubernetes.io/hostname", "node-1")))
                .isFalse();
    }

    @Test
    @DisplayName("H4 a relative path is one below / if the operator says so")
    void h04_acceptsRelativePathsIfAsked() {
        StoragePlugin configured = HostPathNode.value(plugin.configured(Map.of("relative", "root")));

        assertThat(configured.validate(HostPathNode.source("data/x", ""))).isEmpty();
        assertThat(configured.identify(HostPathNode.source("data/x", "")).backend())
                .isEqualTo("/data/x");
        assertThat(configured.validate(HostPathNode.source("../x", ""))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"root, var/lib", "root, /a/../b", "links, some", "allow, etc", "deny, '/a,b'", "relative, yes", "x, y"})
    void refusesSettings(String name, String value) {
        assertThat(HostPathNode.answer(plugin.configured(Map.of(name, value)))).isEqualTo("INVALID");
    }

    @Test
    void ledgerEntriesSurviveWritingAndNothingElseIsRead() {
        HostPathLedgerEntry creating = HostPathLedgerEntry.ofClaim("claim", "no\"de\n");
        HostPathLedgerEntry ready = creating.ready(new FileIdentity("beef", -1));

        assertThat(HostPathLedgerEntry.read(creating.write()))
                .map(HostPathLedgerEntry::nodeUid)
                .contains("no_de_");
        assertThat(HostPathLedgerEntry.read(ready.write()))
                .map(HostPathLedgerEntry::identity)
                .contains(ready.identity());
        for (String bad : List.of("", "{}", "{\"state\":\"READY\"}", ready.write() + "x", "{\"state\":\"OTHER\"}")) {
            assertThat(HostPathLedgerEntry.read(bad)).isEmpty();
        }
    }
}
