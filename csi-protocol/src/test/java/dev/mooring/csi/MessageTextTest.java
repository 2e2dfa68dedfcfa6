// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CsiProto;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.VolumeCapability;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTextTest {
    private static final String PLANTED = "s3cr3t-that-was-planted";
    private static final Set<String> HIDDEN = Set.of("secrets", "mount_flags", "publish_context");
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    static List<Descriptor> messages() {
        return CsiProto.getDescriptor().getMessageTypes();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void showsNoSecretOfAnyMessage(Descriptor type) {
        assertThat(MessageText.of(planted(type))).doesNotContain(PLANTED);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyFieldOfSecretsIsMarked(Descriptor type) {
        assertThat(type.getFields())
                .filteredOn(field -> field.getName().equals("secrets"))
                .allMatch(field -> field.getOptions().getExtension(CsiProto.csiSecret));
    }

    /** The planting itself: without the filter the words would be seen. */
    @Test
    void secretsArePlanted() {
        assertThat(messages())
                .filteredOn(type -> planted(type).toString().contains(PLANTED))
                .extracting(Descriptor::getName)
                .contains(
                        "CreateVolumeRequest",
                        "DeleteVolumeRequest",
                        "ControllerPublishVolumeRequest",
                        "ControllerPublishVolumeResponse",
                        "NodeStageVolumeRequest",
                        "NodePublishVolumeRequest",
                        "NodeExpandVolumeRequest",
                        "VolumeCapability")
                .hasSizeGreaterThanOrEqualTo(24);
    }

    @Test
    void showsTheRest() {
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId("v1")
                .putSecrets("password", PLANTED)
                .putPublishContext("device", "/dev/sdb")
                .putVolumeContext("b", "2")
                .putVolumeContext("a", "1\n")
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder()
                                .setFsType("ext4")
                                .addMountFlags("password=" + PLANTED))
                        .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                                .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
                .build();
        assertThat(MessageText.of(request))
                .isEqualTo("NodeStageVolumeRequest{volume_id: \"v1\", publish_context: {\"device\": ***stripped***},"
                        + " volume_capability: {mount: {fs_type: \"ext4\", mount_flags: ***stripped***},"
                        + " access_mode: {mode: SINGLE_NODE_WRITER}}, secrets: ***stripped***,"
                        + " volume_context: {\"a\": \"1 \", \"b\": \"2\"}}");
    }

    @Test
    void countsUnknownFieldsAndShowsNoneOfThem() {
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(
                        99,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(com.google.protobuf.ByteString.copyFromUtf8(PLANTED))
                                .build())
                .build();
        CreateVolumeRequest request =
                CreateVolumeRequest.newBuilder().setUnknownFields(newer).build();
        assertThat(MessageText.of(request)).isEqualTo("CreateVolumeRequest{1 unknown fields}");
    }

    @Test
    void boundsValuesAndTheWhole() {
        NodePublishVolumeRequest.Builder request =
                NodePublishVolumeRequest.newBuilder().setVolumeId("v".repeat(1000));
        assertThat(MessageText.of(request.build()))
                .contains("v".repeat(253) + "...\"")
                .doesNotContain("v".repeat(254));
        for (int i = 0; i < 1000; i++) {
            request.putVolumeContext("key" + i, "x".repeat(100));
        }
        assertThat(MessageText.of(request.build())).hasSize(4096).endsWith("...");
    }

    /** A message with the planted words in each place that may hold secrets. */
    private static Message planted(Descriptor type) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (HIDDEN.contains(field.getName())) {
                plant(message, field, PLANTED);
            } else if (field.getName().equals("volume_context")) {
                plant(message, field, TOKENS);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
                Message inner = planted(field.getMessageType());
                if (field.isRepeated()) {
                    message.addRepeatedField(field, inner);
                } else {
                    message.setField(field, inner);
                }
            }
        }
        return message.build();
    }

    private static void plant(DynamicMessage.Builder message, FieldDescriptor field, String key) {
        if (!field.isMapField()) {
            message.addRepeatedField(field, PLANTED);
            return;
        }
        Descriptor entry = field.getMessageType();
        message.addRepeatedField(
                field,
                DynamicMessage.newBuilder(entry)
                        .setField(entry.findFieldByNumber(1), key.equals(PLANTED) ? "password" : key)
                        .setField(entry.findFieldByNumber(2), PLANTED)
                        .build());
    }
}
