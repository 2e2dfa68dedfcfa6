// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.storage.codec.KubernetesJson;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes as kubectl sends them. */
class ProtobufObjectsTest {
    /** {@code kubectl create secret generic s2 --from-literal=b=c}, version 1.32. */
    private static final byte[] SECRET = HexFormat.of()
            .parseHex("6b3873000a0c0a0276311206536563726574121e0a120a02733212001a0022002a00320038004200"
                    + "12060a01621201631a001a002200");

    private static String read(byte[] bytes) {
        return ProtobufObjects.read(bytes).map(KubernetesJson.standard()::write).orElse("unknown kind");
    }

    @Test
    void aSecretIsReadAsItsJsonWouldBe() {
        assertThat(read(SECRET))
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s2\"},\"data\":{\"b\":\"Yw==\"}}");
    }

    @Test
    void anEvictionIsReadWithItsOptions() {
        String body = "6b3873000a150a09706f6c6963792f763112084576696374696f6e12090a030a0170120208001a002200";
        assertThat(read(HexFormat.of().parseHex(body)))
                .isEqualTo("{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"p\"},"
                        + "\"deleteOptions\":{\"gracePeriodSeconds\":0}}");
    }

    @Test
    void everyFormOfAFieldIsRead() {
        // ServiceAccount: name, a label, a finalizer, an owner, a creation time, a secret, and field 99, which
        // no kind has.
        String body =
                "6b3873000a140a027631120e536572766963654163636f756e7412320a250a01785a060a016c1201767201666a090a024b64"
                        + "2201753001380342080880a0f8fa05100012031a016e20019a06017a1a002200";
        assertThat(read(HexFormat.of().parseHex(body)))
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"x\",\"labels\":{\"l\":\"v\"},"
                                + "\"finalizers\":[\"f\"],\"ownerReferences\":[{\"kind\":\"Kd\",\"uid\":\"u\",\"controller\":true}],\"generation\":3,"
                                + "\"creationTimestamp\":\"2020-09-13T12:26:40Z\"},\"secrets\":[{\"name\":\"n\"}],"
                                + "\"automountServiceAccountToken\":true}");
    }

    @Test
    void aKindThatIsNotServedIsUnknown() {
        assertThat(read(HexFormat.of().parseHex("6b3873000a090a0276311203466f6f1200")))
                .isEqualTo("unknown kind");
    }

    @Test
    void whatIsCutOffOrMixedUpIsReadOrRefusedAndNothingElse() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = SECRET.clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
            }
            try {
                read(java.util.Arrays.copyOf(bytes, 4 + random.nextInt(bytes.length)));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageNotContaining("Exception");
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> ProtobufObjects.read(new byte[] {1, 2, 3, 4, 5}));
    }
}
