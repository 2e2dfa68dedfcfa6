// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.contract.TypeSweep;
import dev.mooring.clusterstore.contract.TypeSweep.Wrong;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaTest {
    private static final Schema SCHEMA = Schema.standard();

    private static Decoded decoded(Kind<?> kind, Map<String, ?> object) {
        return SCHEMA.decode(kind, Document.of(object));
    }

    private static Map<String, Object> below(String path, Object value) {
        Object inner = value;
        String[] keys = path.split("\\.", -1);
        for (int i = keys.length - 1; i >= 0; i--) {
            String key = keys[i];
            inner = key.endsWith("[]")
                    ? Map.of(key.substring(0, key.length() - 2), List.of(inner))
                    : Map.of(key, inner);
        }
        @SuppressWarnings("unchecked") // made above
        Map<String, Object> object = (Map<String, Object>) inner;
        return object;
    }

    private static Object value(String text) {
        return switch (text) {
            case "true" -> true;
            case "5" -> 5L;
            case "1.5" -> new BigDecimal("1.5");
            case "3000000000" -> 3_000_000_000L;
            case "{}" -> Map.of();
            case "[]" -> List.of();
            case "['x']" -> List.of("x");
            default -> text;
        };
    }

    /** The words are those of kube-apiserver since 1.23; ours name the place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PersistentVolume | spec.csi.volumeAttributes.share | true | json: cannot unmarshal bool into Go struct field CSIPersistentVolumeSource.spec.csi.volumeAttributes of type string | must be a string, not the boolean true",
                "PersistentVolume | spec.nfs.readOnly | false | json: cannot unmarshal string into Go struct field NFSVolumeSource.spec.nfs.readOnly of type bool | must be a boolean, not the string \"false\"",
                "PersistentVolume | spec.nfs | s:/x | json: cannot unmarshal string into Go struct field PersistentVolumeSpec.spec.nfs of type v1.NFSVolumeSource | must be an object, not the string \"s:/x\"",
                "PersistentVolume | spec.accessModes | ReadWriteOnce | json: cannot unmarshal string into Go struct field PersistentVolumeSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode | must be an array, not the string \"ReadWriteOnce\"",
                "PersistentVolume | spec.accessModes[] | 5 | json: cannot unmarshal number into Go struct field PersistentVolumeSpec.spec.accessModes of type v1.PersistentVolumeAccessMode | must be a string, not the number 5",
                "PersistentVolume | spec.capacity | 5 | json: cannot unmarshal number into Go struct field PersistentVolumeSpec.spec.capacity of type v1.ResourceList | must be an object, not the number 5",
                "PersistentVolume | spec.capacity.storage | true | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$' | must be a quantity such as 5Gi, not the boolean true",
                "PersistentVolume | spec.iscsi.lun | 1.5 | json: cannot unmarshal number 1.5 into Go struct field ISCSIPersistentVolumeSource.spec.iscsi.lun of type int32 | must be an integer of 32 bits, not the number 1.5",
                "PersistentVolume | spec.iscsi.lun | 3000000000 | json: cannot unmarshal number 3000000000 into Go struct field ISCSIPersistentVolumeSource.spec.iscsi.lun of type int32 | must be an integer of 32 bits, not the number 3000000000",
                "PersistentVolume | metadata | x | json: cannot unmarshal string into Go struct field PersistentVolume.metadata of type v1.ObjectMeta | must be an object, not the string \"x\"",
                "Pod | spec.securityContext.fsGroup | 2000 | json: cannot unmarshal string into Go struct field PodSecurityContext.spec.securityContext.fsGroup of type int64 | must be an integer, not the string \"2000\"",
                "Pod | spec.volumes[].emptyDir | Memory | json: cannot unmarshal string into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource | must be an object, not the string \"Memory\"",
                "Pod | spec.volumes[].secret.items | {} | json: cannot unmarshal object into Go struct field SecretVolumeSource.spec.volumes.secret.items of type []v1.KeyToPath | must be an array, not an object",
                "Pod | spec.containers[].env[].value | true | json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string | must be a string, not the boolean true",
                "Pod | spec.containers[].livenessProbe.httpGet.port | true | json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32 | must be an integer of 32 bits or a string, not the boolean true",
                "Lease | spec.renewTime | 5 | json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string | must be a time such as 2026-01-31T12:00:00.000000Z, not the number 5",
                "Event | firstTimestamp | yesterday | parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\" | must be a time such as 2026-01-31T12:00:00Z, not the string \"yesterday\"",
                "ConfigMap | binaryData.a | YQ= | illegal base64 data at input byte 3 | must be base64, not the string \"YQ=\"",
                "ConfigMap | binaryData.a | !Q== | illegal base64 data at input byte 0 | must be base64, not the string \"!Q==\"",
                "Secret | data.a | 5 | json: cannot unmarshal number into Go struct field Secret.data of type []uint8 | must be a string in base64, not a number",
                "Secret | data.a | se-cret | illegal base64 data at input byte 2 | must be base64, not a string",
                "Secret | stringData.a | 5 | json: cannot unmarshal number into Go struct field Secret.stringData of type string | must be a string, not a number",
                "Node | spec.taints | x | json: cannot unmarshal string into Go struct field NodeSpec.spec.taints of type []v1.Taint | must be an array, not the string \"x\"",
                "ServiceAccount | secrets | x | json: cannot unmarshal string into Go struct field ServiceAccount.secrets of type []v1.ObjectReference | must be an array, not the string \"x\"",
            })
    void aValueOfAWrongTypeIsToldInTheServersWordsAndInOurs(
            String kind, String path, String given, String server, String rule) {
        Kind<?> of = Kinds.standard().byKindName(kind).orElseThrow();
        WrongValue wrong = decoded(of, below(path, value(given))).wrong().orElseThrow();

        assertThat(wrong.serverMessage()).isEqualTo(server);
        assertThat(wrong.field()).isEqualTo(path.replace("[]", "[0]"));
        assertThat(wrong.rule()).isEqualTo(rule);
    }

    private static List<Kind<?>> kinds() {
        return Kinds.standard().all();
    }

    /** Each field of each kind with a value of each wrong JSON type: none is taken. */
    @ParameterizedTest
    @MethodSource("kinds")
    void noValueOfAWrongTypeIsTaken(Kind<?> kind) {
        List<Wrong> sweep = TypeSweep.of(kind);
        List<String> taken = sweep.stream()
                .filter(each -> SCHEMA.decode(kind, each.object()).wrong().isEmpty())
                .map(Wrong::toString)
                .toList();

        assertThat(sweep).hasSizeGreaterThan(100);
        assertThat(taken).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "5Gi|5Gi",
                " 5Gi |5Gi",
                "\u00a05Gi\u2003|5Gi",
                "1024Mi|1Gi",
                "1.5Gi|1536Mi",
                "\t5Gi|",
                "5Gi\t|",
                "5 Gi|",
                "  |",
                "|",
            })
    void blanksAroundAQuantityGoAsTheServerTakesThem(String given, String canonical) {
        String text = given == null ? "" : given;
        Decoded decoded = decoded(Kinds.PERSISTENT_VOLUME, below("spec.capacity.storage", text));

        assertThat(decoded.wrong().isEmpty() ? decoded.object().text("spec", "capacity", "storage") : Optional.empty())
                .isEqualTo(Optional.ofNullable(canonical));
    }

    @Test
    void aNumberIsAQuantity() {
        assertThat(decoded(Kinds.PERSISTENT_VOLUME, below("spec.capacity.storage", 5_000L))
                        .object()
                        .text("spec", "capacity", "storage"))
                .contains("5k");
    }

    /** As Go has it: nothing in a field, the empty value in a list or a mapping. */
    @Test
    void nullIsNothing() {
        Decoded decoded = decoded(
                Kinds.CONFIG_MAP,
                Map.of(
                        "metadata",
                        Map.of(
                                "name",
                                "m",
                                "creationTimestamp",
                                JsonNull.NULL,
                                "annotations",
                                Map.of("a", JsonNull.NULL)),
                        "data",
                        Map.of("k", JsonNull.NULL),
                        "immutable",
                        JsonNull.NULL));
        Decoded pod = decoded(Kinds.POD, below("spec.containers", List.of(JsonNull.NULL)));

        assertThat(decoded.wrong()).isEmpty();
        assertThat(decoded.object())
                .isEqualTo(Document.of(Map.of(
                        "metadata", Map.of("name", "m", "annotations", Map.of("a", "")), "data", Map.of("k", ""))));
        assertThat(pod.object().at("spec", "containers")).contains(List.of(Map.of()));
    }

    @Test
    void bytesMayBeBrokenInLinesOrNumbers() {
        Decoded decoded = decoded(
                Kinds.SECRET,
                Map.of("data", Map.of("broken", "YWJj\r\nZGVm\n", "numbers", List.of(1L, 2L), "plain", "YQ==")));

        assertThat(decoded.wrong()).isEmpty();
        assertThat(decoded.object().at("data"))
                .contains(Map.of("broken", "YWJjZGVm", "numbers", "AQI=", "plain", "YQ=="));
    }

    @Test
    void whatIsReadRightIsTheSameObject() {
        Document volume = Document.of(below("spec.capacity.storage", "5Gi"));

        assertThat(SCHEMA.decode(Kinds.PERSISTENT_VOLUME, volume).object()).isSameAs(volume);
    }

    @Test
    void whatTheSchemaDoesNotKnowIsNamedAndKept() {
        Decoded decoded = decoded(
                Kinds.POD,
                Map.of(
                        "spec",
                        Map.of(
                                "containers",
                                List.of(Map.of("image", "x", "imagepullpolicy", Map.of("a", JsonNull.NULL)))),
                        "odd",
                        7L));

        assertThat(decoded.unknown()).containsExactlyInAnyOrder("spec.containers[0].imagepullpolicy", "odd");
        assertThat(decoded.object().at("odd")).contains(7L);
    }

    /** The first is told, but what ends the reading comes before it. */
    @Test
    void oneOfSeveralIsTold() {
        Document two = Document.empty().with("x", "spec", "nfs").with(5L, "spec", "storageClassName");
        Document ending = two.with("much", "spec", "capacity", "storage");

        assertThat(SCHEMA.decode(Kinds.PERSISTENT_VOLUME, two).wrong().map(WrongValue::field))
                .contains("spec.nfs");
        assertThat(SCHEMA.decode(Kinds.PERSISTENT_VOLUME, ending).wrong().map(WrongValue::field))
                .contains("spec.capacity.storage");
    }

    /** Whatever the model reads of a kind, the schema knows. */
    @ParameterizedTest
    @MethodSource("kinds")
    void theSchemaHasEveryFieldOfTheModel(Kind<?> kind) {
        List<String> fields =
                new ArrayList<>(SCHEMA.type(kind).orElseThrow().fields().keySet());
        List<String> model = Arrays.stream(kind.type().getRecordComponents())
                .map(RecordComponent::getName)
                .toList();

        assertThat(fields).containsAll(model);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-01-31T12:00:00Z          |",
                "2026-01-31T12:00:00.5+01:00   |",
                "2026-01-31T12:00:00           | parsing time \"2026-01-31T12:00:00\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"\" as \"Z07:00\"",
                "2026-13-31T12:00:00Z          | parsing time \"2026-13-31T12:00:00Z\": month out of range",
                "2026-02-30T12:00:00Z          | parsing time \"2026-02-30T12:00:00Z\": day out of range",
                "2026-01-31 12:00:00Z          | parsing time \"2026-01-31 12:00:00Z\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \" 12:00:00Z\" as \"T\"",
                "2026-01-31T12:00:00Zs         | parsing time \"2026-01-31T12:00:00Zs\": extra text: \"s\"",
            })
    void timesAreReadAsGoReadsThem(String text, String problem) {
        assertThat(GoTime.problem(text, false)).isEqualTo(Optional.ofNullable(problem));
    }

    @Test
    void someTimesHaveSixDigitsBehindTheSecond() {
        assertThat(GoTime.problem("2026-01-31T12:00:00.000001Z", true)).isEmpty();
        assertThat(GoTime.problem("2026-01-31T12:00:00Z", true))
                .contains("parsing time \"2026-01-31T12:00:00Z\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse"
                        + " \"Z\" as \".000000\"");
    }
}
