// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The numbers by which the server reads protocol buffers are those of Kubernetes' descriptors. */
class FieldNumbersTest {
    private static final Path FILE = Path.of(System.getProperty("mooring.root", ".."))
            .resolve("api-server/src/main/resources/dev/mooring/apiserver/protobuf/kubernetes.numbers");
    private static final List<FileDescriptor> FILES = List.of(
            V1.getDescriptor(),
            Meta.getDescriptor(),
            V1Apps.getDescriptor(),
            V1Authentication.getDescriptor(),
            V1Authorization.getDescriptor(),
            V1Autoscaling.getDescriptor(),
            V1Batch.getDescriptor(),
            V1Networking.getDescriptor(),
            V1Policy.getDescriptor(),
            V1Rbac.getDescriptor(),
            V1Storage.getDescriptor());

    private final TreeMap<String, String> lines = new TreeMap<>();

    private static String name(Descriptor message) {
        return message.getFullName().replaceFirst("^k8s\\.io\\.(api|apimachinery\\.pkg\\.apis)\\.", "");
    }

    private static Optional<Structure> type(Descriptor message) {
        String[] parts = name(message).split("[.]", -1);
        return parts.length == 3 ? Schema.standard().type(parts[0], parts[1], parts[2]) : Optional.empty();
    }

    private static Stream<FieldDescriptor> fields(Descriptor message) {
        return message.getFields().stream().sorted(Comparator.comparing(FieldDescriptor::getNumber));
    }

    /** Whether the message's fields stand in the object itself: Go embeds it, so that JSON has no field for it. */
    private static boolean isInline(FieldDescriptor field, Set<String> known) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && !field.isRepeated()
                && field.getMessageType().getFields().stream().anyMatch(inner -> known.contains(inner.getName()));
    }

    private void add(String message, Stream<String> members) {
        lines.put(message, message + members.map(each -> " " + each).reduce("", String::concat));
    }

    private Collection<String> described() {
        Set<Descriptor> inline = new HashSet<>();
        FILES.stream()
                .flatMap(file -> file.getMessageTypes().stream())
                .forEach(message -> type(message).ifPresent(type -> {
                    Set<String> known = type.fields().keySet();
                    add(
                            name(message),
                            fields(message)
                                    .filter(field -> known.contains(field.getName()) || isInline(field, known))
                                    .map(field -> {
                                        if (known.contains(field.getName())) {
                                            return field.getNumber() + ":" + field.getName();
                                        }
                                        inline.add(field.getMessageType());
                                        return field.getNumber() + ":=" + name(field.getMessageType());
                                    }));
                }));
        inline.stream()
                .filter(message -> !lines.containsKey(name(message)))
                .forEach(message ->
                        add(name(message), fields(message).map(field -> field.getNumber() + ":" + field.getName())));
        return lines.values();
    }

    @Test
    void theNumbersAreThoseOfTheDescriptors() throws IOException {
        List<String> kept = Files.readAllLines(FILE);
        List<String> wanted = Stream.concat(kept.stream().filter(line -> line.startsWith("#")), described().stream())
                .toList();
        if (Boolean.getBoolean("numbers.update")) {
            Files.write(FILE, wanted);
        }
        assertThat(Files.readAllLines(FILE))
                .as("to write it again: -Dnumbers.update=true")
                .isEqualTo(wanted);
    }
}
