// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.runtime.control.FileFailures;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Distinguishes a kubeconfig that a server wrote, and may write again, from one that holds a user's access to other clusters. */
final class OwnKubeconfig {
    private static final String NAME = "mooring";
    private static final Set<String> FIELDS =
            Set.of("apiVersion", "kind", "preferences", "current-context", "clusters", "contexts", "users");
    private static final Map<String, Set<String>> PARTS = Map.of(
            "clusters", Set.of("server", "certificate-authority-data"),
            "contexts", Set.of("cluster", "user", "namespace"),
            "users", Set.of("token"));

    private OwnKubeconfig() {}

    /**
     * Lets pass what is not there, is empty, or holds nothing but what a server writes, in a directory that is there.
     *
     * @throws IOException if there is anything else; the message names the file and says what to do
     */
    static void requireReplaceable(Path file) throws IOException {
        Optional<String> objection = Files.exists(file) ? objection(file) : Optional.empty();
        if (objection.isPresent()) {
            throw new IOException("the kubeconfig " + file + " is not replaced, since it " + objection.get()
                    + ": name another file (--kubeconfig, MOORING_KUBECONFIG), or move this one away");
        }
    }

    /** A file that cannot be read may still be of worth to its owner. */
    private static Optional<String> objection(Path file) {
        if (Files.isDirectory(file)) {
            return Optional.of("is a directory");
        }
        if (!Files.isRegularFile(file)) {
            return Optional.of("is not a regular file");
        }
        try {
            String text = Files.readString(file);
            return text.isBlank() || isOwn(KubernetesYaml.standard().read(text, file.toString()))
                    ? Optional.empty()
                    : Optional.of(
                            "holds more than the cluster, context and user \"" + NAME + "\" that are written there");
        } catch (IOException e) {
            return Optional.of("cannot be read (" + FileFailures.reason(e) + ")");
        } catch (CodecException | IllegalArgumentException e) {
            return Optional.of("is no kubeconfig");
        }
    }

    private static boolean isOwn(Document config) {
        return FIELDS.containsAll(config.asMap().keySet())
                && isEmpty(config.at("preferences").orElse(JsonNull.NULL))
                && PARTS.entrySet().stream().allMatch(part -> isOwn(config, part.getKey(), part.getValue()));
    }

    private static boolean isEmpty(Object value) {
        return value == JsonNull.NULL || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    private static boolean isOwn(Document config, String part, Set<String> known) {
        Object value = config.at(part).orElse(JsonNull.NULL);
        if (value == JsonNull.NULL) {
            return true;
        }
        return value instanceof List<?> all
                && all.size() <= 1
                && all.stream().allMatch(each -> isOwn(each, part.substring(0, part.length() - 1), known));
    }

    private static boolean isOwn(Object entry, String what, Set<String> known) {
        return entry instanceof Map<?, ?> fields
                && Set.of("name", what).containsAll(fields.keySet())
                && NAME.equals(fields.get("name"))
                && fields.get(what) instanceof Map<?, ?> own
                && known.containsAll(own.keySet());
    }
}
