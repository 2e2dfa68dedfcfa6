// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.claim;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {
    private final NfsPlugin plugin = new NfsPlugin();

    private Outcome<VolumeTemplate> plan(Map<String, String> annotations, String... more) {
        Map<String, String> parameters = new TreeMap<>(Map.of("server", "server", "share", "/srv/"));
        for (int i = 0; i < more.length; i += 2) {
            parameters.put(more[i], more[i + 1]);
        }
        return plugin.plan(claim("one", parameters, annotations));
    }

    private static String path(VolumeTemplate template) {
        return NfsSource.of(template.source()).orElseThrow().path();
    }

    @ParameterizedTest
    @CsvSource({
        "${.PVC.namespace}/${.PVC.name}, ns/one",
        "${PVC.namespace}-x, ns-x",
        "${pvc.metadata.namespace}/${pvc.metadata.name}/${pv.metadata.name}, ns/one/pvc-uid-one",
        "${.PVC.labels.team}/data, blue/data",
        "${.PVC.annotations.nfs.io/dir}, mine",
        "fixed, fixed",
    })
    void n20_bothPeersVariablesAreExpanded(String pattern, String expected) {
        for (String parameter : new String[] {"pathPattern", "subDir"}) {
            assertThat(path(value(plan(Map.of("nfs.io/dir", "mine"), parameter, pattern))))
                    .isEqualTo("/srv/" + expected);
        }
    }

    /** As for a caller of a CSI driver that does not say whose claim it is. */
    @ParameterizedTest
    @CsvSource({
        ", pvc-uid-one",
        "${pv.metadata.name}, pvc-uid-one",
        "fixed, fixed",
        "${.PVC.namespace}/x, invalid",
        "${.PVC.name}, invalid",
        "${.PVC.labels.team}, invalid",
    })
    void withoutAClaimTheVolumeNamesTheDirectory(String pattern, String expected) {
        Map<String, String> parameters = new TreeMap<>(Map.of("server", "server", "share", "/srv/"));
        Optional.ofNullable(pattern).ifPresent(text -> parameters.put("pathPattern", text));
        ProvisionRequest claimed = claim("one", parameters);
        ProvisionRequest request = new ProvisionRequest(
                claimed.volumeName(),
                ObjectKey.of("", "one"),
                claimed.claimUid(),
                claimed.claimLabels(),
                claimed.claimAnnotations(),
                claimed.requested(),
                claimed.accessModes(),
                claimed.mode(),
                claimed.className(),
                claimed.parameters(),
                claimed.attributes(),
                claimed.mountOptions(),
                claimed.reclaimPolicy(),
                claimed.selectedNode(),
                claimed.nodeLabels());
        Outcome<VolumeTemplate> planned = plugin.plan(request);
        if (expected.equals("invalid")) {
            assertThat(planned.message()).contains("--extra-create-metadata");
        } else {
            assertThat(path(value(planned))).isEqualTo("/srv/" + expected);
        }
    }

    @Test
    void n20_defaultsAreAsThePeers() {
        VolumeTemplate template = value(plan(Map.of()));
        assertThat(path(template)).isEqualTo("/srv/ns-one-pvc-uid-one");
        assertThat(template.nodeAffinity()).isEmpty();
        assertThat(template.annotations())
                .containsEntry("mooring.dev/on-delete", "delete")
                .containsEntry("mooring.dev/nfs-share", "server:/srv")
                .containsEntry("mooring.dev/capacity-enforced", "false")
                .doesNotContainKey("pv.beta.kubernetes.io/gid");
        assertThat(value(ClassParameters.of(Map.of("server", "s", "share", "/")))
                        .permissions()
                        .mode())
                .isEqualTo(0777);
        assertThat(value(ClassParameters.of(Map.of("server", "s", "share", "/", "gid", "7")))
                        .permissions()
                        .mode())
                .isEqualTo(0770);
        assertThat(value(ClassParameters.of(Map.of("server", "s", "share", "/", "mountPermissions", "0")))
                        .permissions()
                        .mode())
                .isEqualTo(0777);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                ".",
                "..",
                "a/../b",
                "a//b",
                "/a",
                "a/",
                "archived-x",
                ".mooring",
                ".mooring/volumes",
                "a/.mooring-d1",
                "${.PVC.annotations.missing}",
                "${.PVC.labels.missing}/x",
                "${.PVC.uid}",
                "${}",
                "a b",
                "a\nb",
                "ä",
                "${pv",
                "1/2/3/4/5/6/7/8/9"
            })
    void n20_whatIsNoDirectoryOfItsOwnIsRefused(String pattern) {
        assertThat(answer(plan(Map.of(), "pathPattern", pattern))).isEqualTo("INVALID");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "../x", "a/b", "a/../..", "archived-a", ".mooring", "a b", "a\nb", "$(id)", "a\0b"
            })
    void n20_whatAClaimsAuthorWritesIsOneElement(String dir) {
        assertThat(answer(plan(Map.of("dir", dir), "pathPattern", "x/${.PVC.annotations.dir}")))
                .isEqualTo("INVALID");
    }

    @Test
    void n20_slashesInValuesAreForTheClassToAllow() {
        String[] allowed = {"pathPattern", "${.PVC.annotations.dir}", "allowSlashInValues", "true"};
        assertThat(path(value(plan(Map.of("dir", "a/b"), allowed)))).isEqualTo("/srv/a/b");
        for (String bad : new String[] {"/a", "a/", "a//b", "a/../b", "a/.mooring", "/"}) {
            assertThat(answer(plan(Map.of("dir", bad), allowed))).as(bad).isEqualTo("INVALID");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "unknown, x, INVALID",
        "share, relative, INVALID",
        "server, 'a,b', INVALID",
        "onDelete, destroy, INVALID",
        "archiveOnDelete, yes, INVALID",
        "shared, 1, INVALID",
        "mountPermissions, 9, INVALID",
        "mountPermissions, 4777, INVALID",
        "gid, -1, INVALID",
        "gid, root, INVALID",
        "quota, user, INVALID",
    })
    void badParametersAreNamed(String name, String value, String expected) {
        Outcome<VolumeTemplate> answer = plan(Map.of(), name, value);
        assertThat(answer(answer)).isEqualTo(expected);
        assertThat(answer.message()).contains(name);
    }

    @ParameterizedTest
    @CsvSource({
        "onDelete, retain, retain",
        "onDelete, archive, archive",
        "archiveOnDelete, true, archive",
        "archiveOnDelete, false, delete",
    })
    void n24_bothPeersWordsForTheEndAreFrozenOnTheVolume(String name, String value, String expected) {
        assertThat(value(plan(Map.of(), name, value)).annotations()).containsEntry("mooring.dev/on-delete", expected);
    }
}
