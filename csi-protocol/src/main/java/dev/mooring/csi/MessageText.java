// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.mooring.csi.v1.CsiProto;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Shows a message without its secrets. A generated {@code toString} shows them, so nothing may call it.
 *
 * <p>Left out are the fields that the specification marks as secret, mount flags and the values of a publish context, which may hold
 * passwords, and tokens of service accounts in a volume context.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MessageText {
    /** What stands in place of a secret. Kubernetes' side-cars write the same. */
    public static final String STRIPPED = "***stripped***";

    private static final int MAX_VALUE = 256;
    private static final int MAX_TEXT = 4096;
    private static final Set<String> SENSITIVE = Set.of("mount_flags");
    private static final Set<String> SENSITIVE_VALUES = Set.of("publish_context");
    private static final Set<String> SENSITIVE_KEYS = Set.of("csi.storage.k8s.io/serviceAccount.tokens");

    private MessageText() {}

    /**
     * One line that shows a message: {@code NodeGetInfoResponse{node_id: "a"}}. Maps are in order of their keys.
     *
     * @return at most 4096 characters; a value has at most 256
     */
    public static String of(Message message) {
        return WireText.oneLine(message.getDescriptorForType().getName() + fields(message), MAX_TEXT);
    }

    private static String fields(Message message) {
        String known = message.getAllFields().entrySet().stream()
                .map(field -> field.getKey().getName() + ": " + value(field.getKey(), field.getValue()))
                .collect(Collectors.joining(", "));
        int unknown = message.getUnknownFields().asMap().size();
        if (unknown == 0) {
            return "{" + known + "}";
        }
        return "{" + known + (known.isEmpty() ? "" : ", ") + unknown + " unknown fields}";
    }

    private static String value(FieldDescriptor field, Object value) {
        if (SENSITIVE.contains(field.getName()) || field.getOptions().getExtension(CsiProto.csiSecret)) {
            return STRIPPED;
        }
        if (field.isMapField()) {
            return map(field, (List<?>) value);
        }
        if (field.isRepeated()) {
            return ((List<?>) value)
                    .stream().map(each -> single(field, each)).collect(Collectors.joining(", ", "[", "]"));
        }
        return single(field, value);
    }

    private static String map(FieldDescriptor field, List<?> entries) {
        FieldDescriptor keys = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor values = field.getMessageType().findFieldByNumber(2);
        Map<String, String> sorted = new TreeMap<>();
        for (Object each : entries) {
            Message entry = (Message) each;
            String key = String.valueOf(entry.getField(keys));
            boolean hidden = SENSITIVE_VALUES.contains(field.getName()) || SENSITIVE_KEYS.contains(key);
            sorted.put(quoted(key), hidden ? STRIPPED : single(values, entry.getField(values)));
        }
        return sorted.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String single(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case MESSAGE -> fields((Message) value);
            case STRING -> quoted((String) value);
            case ENUM -> ((EnumValueDescriptor) value).getName();
            case INT, LONG, BOOLEAN -> String.valueOf(value);
            default -> field.getJavaType().name();
        };
    }

    private static String quoted(String text) {
        return "\"" + WireText.oneLine(text, MAX_VALUE) + "\"";
    }
}
