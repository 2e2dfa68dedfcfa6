// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parameters of a class mean (semantics/csi §8.3, §8.4). */
class DriverClassTest {
    private static ProvisionRequest request(Map<String, String> parameters) {
        return new ProvisionRequest(
                "pvc-1",
                ObjectKey.of("team", "data"),
                "1",
                Map.of(),
                Map.of("secret", "mine"),
                Quantity.parse("1Gi"),
                List.of(AccessMode.READ_WRITE_ONCE),
                VolumeMode.FILESYSTEM,
                "fast",
                parameters,
                Map.of(),
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.empty(),
                Map.of());
    }

    private static Map<String, String> parameters(String words) {
        Map<String, String> all = new TreeMap<>();
        Arrays.stream(words.replace("csi/", "csi.storage.k8s.io/").split(" "))
                .forEach(word -> all.put(word.split("=", 2)[0], word.split("=", 2)[1]));
        return all;
    }

    private static Outcome<Map<SecretUse, ObjectKey>> secrets(String words) {
        ProvisionRequest request = request(parameters(words));
        return DriverClass.of(request, "").then(rules -> NewVolume.secrets(rules, request));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    csi/fstype=xfs type=ssd      | xfs | type=ssd
                    fstype=xfs                   | xfs | fstype=xfs
                    FsType=xfs                   | xfs | FsType=xfs
                    type=ssd                     | ''  | type=ssd
                    csiProvisionerSecretName=n csiProvisionerSecretNamespace=ns | '' | csiProvisionerSecretName=n csiProvisionerSecretNamespace=ns
                    csi/provisioner-secret-name=n csi/provisioner-secret-namespace=ns a=b | '' | a=b
                    """)
    void reservedParametersAreReadAndAllOthersPassed(String words, String fsType, String passed) {
        DriverClass rules = DriverClass.of(request(parameters(words)), "").result().orElseThrow();

        assertThat(rules.fsType()).isEqualTo(fsType);
        assertThat(rules.passed()).isEqualTo(parameters(passed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "csi/unknown=x",
                "csi/pvc/name=x",
                "csi/pv/name=x",
                "csi/FsType=xfs",
                "csi/fstype=xfs fstype=ext4",
                "fstype=xfs FSTYPE=xfs",
                "csi/provisioner-secret-name=n",
                "csi/provisioner-secret-namespace=ns",
                "csi/node-stage-secret-name= csi/node-stage-secret-namespace=ns",
                "csi/secret-name=n",
                "csiNodeStageSecretName=n",
                "csi/node-stage-secret-name=n csi/node-stage-secret-namespace=ns csiNodeStageSecretName=n",
                "csi/secret-name=n csi/secret-namespace=${pvc.name}",
                "csi/secret-name=n csi/secret-namespace=${pvc.annotations['secret']}",
                "csi/secret-name=${pvc.annotations['none']} csi/secret-namespace=ns",
                "csi/secret-name=${pvc.uid} csi/secret-namespace=ns",
                "csi/secret-name=$pvc csi/secret-namespace=ns",
                "csi/secret-name=Upper csi/secret-namespace=ns",
                "csi/secret-name=n csi/secret-namespace=dotted.ns",
            })
    void aWrongParameterIsInvalid(String words) {
        assertThat(secrets(words).isRefused(Refusal.INVALID)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    n                              | ns               | ns/n
                    ${pv.name}                     | ${pvc.namespace} | team/pvc-1
                    x-${pvc.name}.${pvc.namespace} | ${pv.name}       | pvc-1/x-data.team
                    ${pvc.annotations['secret']}   | ns               | ns/mine
                    """)
    void templatesAreFilledFromClaimAndVolume(String name, String namespace, String secret) {
        assertThat(secrets("csi/node-stage-secret-name=" + name + " csi/node-stage-secret-namespace=" + namespace)
                        .result()
                        .orElseThrow())
                .hasSize(1)
                .hasEntrySatisfying(
                        SecretUse.NODE_STAGE,
                        key -> assertThat(key.namespace() + "/" + key.name()).isEqualTo(secret));
    }

    @Test
    void theDefaultSecretServesEveryUseThatHasNoneOfItsOwn() {
        Map<SecretUse, ObjectKey> secrets = secrets("csi/secret-name=all csi/secret-namespace=ns"
                        + " csi/node-publish-secret-name=own csi/node-publish-secret-namespace=ns")
                .result()
                .orElseThrow();

        assertThat(secrets).hasSize(SecretUse.values().length);
        assertThat(secrets.get(SecretUse.NODE_PUBLISH).name()).isEqualTo("own");
        assertThat(secrets.get(SecretUse.PROVISIONER).name()).isEqualTo("all");
    }
}
