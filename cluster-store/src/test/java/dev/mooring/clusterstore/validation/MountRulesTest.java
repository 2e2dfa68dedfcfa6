// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.POD;
import static dev.mooring.clusterstore.validation.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule about the use that a pod's containers make of its volumes. */
class MountRulesTest {
    private static final Map<String, String> MOUNT = Map.of("name", "v", "mountPath", "/v");
    private static final Map<String, String> DEVICE = Map.of("name", "v", "devicePath", "/dev/v");

    static Stream<Named<Row>> pods() {
        String mount = "spec.containers[0].volumeMounts[0]";
        return Stream.of(
                mounted(
                        "a path out of the volume",
                        mount + ".subPath: Invalid value: \"a/../../b\": must not contain '..'",
                        Map.of("name", "v", "mountPath", "/v", "subPath", "a/../../b")),
                mounted(
                        "an absolute path in the volume",
                        mount + ".subPath: Invalid value: \"/a\": must be a relative path",
                        Map.of("name", "v", "mountPath", "/v", "subPath", "/a")),
                mounted(
                        "a path that becomes one out of it",
                        mount + ".subPathExpr: Invalid value: \"../$(A)\": must not contain",
                        Map.of("name", "v", "mountPath", "/v", "subPathExpr", "../$(A)")),
                mounted(
                        "two paths in the volume",
                        mount + ".subPathExpr: Invalid value: \"b\": subPathExpr and subPath are mutually",
                        Map.of("name", "v", "mountPath", "/v", "subPath", "a", "subPathExpr", "b")),
                mounted(
                        "mounts that an ordinary container shows the host",
                        mount + ".mountPropagation: Forbidden: Bidirectional mount propagation is available only to",
                        Map.of("name", "v", "mountPath", "/v", "mountPropagation", "Bidirectional")),
                mounted(
                        "mounts that spread oddly",
                        mount + ".mountPropagation: Unsupported value: \"Odd\"",
                        Map.of("name", "v", "mountPath", "/v", "mountPropagation", "Odd")),
                mounted(
                        "mounts that spread in no way at all",
                        mount + ".mountPropagation: Unsupported value: \"\"",
                        Map.of("name", "v", "mountPath", "/v", "mountPropagation", "")),
                mounted(
                        "read-only below, and writable itself",
                        mount + ".recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
                        Map.of("name", "v", "mountPath", "/v", "recursiveReadOnly", "Enabled")),
                mounted(
                        "read-only below if possible, and writable itself",
                        mount + ".recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
                        Map.of("name", "v", "mountPath", "/v", "recursiveReadOnly", "IfPossible")),
                mounted(
                        "read-only below in an odd way",
                        mount
                                + ".recursiveReadOnly: Unsupported value: \"Odd\": supported values: \"Disabled\", \"Enabled\","
                                + " \"IfPossible\"",
                        Map.of("name", "v", "mountPath", "/v", "recursiveReadOnly", "Odd")),
                used(
                        "read-only below, where mounts of the host come later",
                        mount
                                + ".recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not"
                                + " specified",
                        Map.of(
                                "name",
                                "c",
                                "volumeMounts",
                                List.of(Map.of(
                                        "name",
                                        "v",
                                        "mountPath",
                                        "/v",
                                        "readOnly",
                                        true,
                                        "recursiveReadOnly",
                                        "Enabled",
                                        "mountPropagation",
                                        "HostToContainer")))),
                mounted(
                        "two mounts at one path",
                        "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/v\": must be unique",
                        MOUNT,
                        MOUNT),
                used(
                        "a mount and a device of one volume",
                        mount + ".name: Invalid value: \"v\": must not already exist in volumeDevices",
                        Map.of("name", "c", "volumeMounts", List.of(MOUNT), "volumeDevices", List.of(DEVICE))),
                used(
                        "two devices at one path",
                        "spec.containers[0].volumeDevices[1].devicePath: Invalid value: \"/dev/v\": must be unique",
                        Map.of(
                                "name",
                                "c",
                                "volumeDevices",
                                List.of(DEVICE, Map.of("name", "w", "devicePath", "/dev/v")))),
                used(
                        "two devices of one volume",
                        "spec.containers[0].volumeDevices[1].name: Invalid value: \"v\": must be unique",
                        Map.of(
                                "name",
                                "c",
                                "volumeDevices",
                                List.of(DEVICE, Map.of("name", "v", "devicePath", "/dev/w")))),
                used(
                        "a mount and a device at one path",
                        mount + ".mountPath: Invalid value: \"/v\": must not already exist as a path in volumeDevices",
                        Map.of(
                                "name",
                                "c",
                                "volumeMounts",
                                List.of(MOUNT),
                                "volumeDevices",
                                List.of(Map.of("name", "w", "devicePath", "/v")))),
                used(
                        "a device upwards",
                        "spec.containers[0].volumeDevices[0].devicePath: Invalid value: \"/dev/../x\": can not contain backsteps ('..')",
                        Map.of("name", "c", "volumeDevices", List.of(Map.of("name", "v", "devicePath", "/dev/../x")))),
                row(
                        "a device of an inline source",
                        Kinds.POD,
                        using(Map.of("name", "c", "volumeDevices", List.of(DEVICE)))
                                .with(List.of(Map.of("name", "v", "emptyDir", Map.of())), "spec", "volumes"),
                        "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void aPodIsRefused(Row row) {
        row.isRefusedWhenNew();
    }

    @Test
    void whatIsReadOnlyBelowIsReadOnlyItself() {
        Map<String, Object> mount = Map.of(
                "name",
                "v",
                "mountPath",
                "/v",
                "readOnly",
                true,
                "recursiveReadOnly",
                "Enabled",
                "mountPropagation",
                "None");
        assertThat(Rows.VALIDATION.onCreate(Kinds.POD, using(Map.of("name", "c", "volumeMounts", List.of(mount)))))
                .isEmpty();
        Map<String, Object> off = Map.of("name", "v", "mountPath", "/v", "recursiveReadOnly", "Disabled");
        assertThat(Rows.VALIDATION.onCreate(Kinds.POD, using(Map.of("name", "c", "volumeMounts", List.of(off)))))
                .isEmpty();
    }

    /** The complaint stands at both of them. */
    @Test
    void whatIsMountedIsNoDeviceEither() {
        Document pod = using(Map.of("name", "c", "volumeMounts", List.of(MOUNT), "volumeDevices", List.of(DEVICE)));
        assertThat(Rows.VALIDATION.onCreate(Kinds.POD, pod))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec.containers[0].volumeMounts[0].name: Invalid value: \"v\": must not already exist in volumeDevices",
                        "spec.containers[0].volumeDevices[0].name: Invalid value: \"v\": must not already exist in volumeMounts");
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static Named<Row> mounted(String name, String refusal, Map<String, String>... mounts) {
        return used(name, refusal, Map.of("name", "c", "volumeMounts", List.of(mounts)));
    }

    private static Named<Row> used(String name, String refusal, Map<String, Object> container) {
        return row(name, Kinds.POD, using(container), refusal);
    }

    private static Map<String, Object> claim(String volume) {
        return Map.of("name", volume, "persistentVolumeClaim", Map.of("claimName", "a"));
    }

    private static Document using(Map<String, Object> container) {
        return POD.with(List.of(container), "spec", "containers")
                .with(List.of(claim("v"), claim("w")), "spec", "volumes");
    }
}
