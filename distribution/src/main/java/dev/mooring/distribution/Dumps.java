// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesLists;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ModelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Objects from files, as a user writes them with {@code kubectl get -o yaml} does. */
final class Dumps {
    private static final Path STANDARD_INPUT = Path.of("-");

    private Dumps() {}

    /**
     * The objects of all files in their order; lists are taken apart, and kinds that storage does not need are left out.
     *
     * @throws IOException if a file cannot be read
     * @throws CodecException if a file is no YAML or JSON; names file, line and rule
     * @throws MalformedDump if an object is malformed; names file, object, field and rule
     */
    static List<KubernetesObject> read(List<Path> files) throws IOException {
        List<KubernetesObject> objects = new ArrayList<>();
        for (Path file : files) {
            for (Document document : KubernetesLists.expand(documents(file), file.toString())) {
                kindOf(document).ifPresent(kind -> objects.add(read(kind, document, file)));
            }
        }
        return objects;
    }

    private static KubernetesObject read(Kind<?> kind, Document document, Path file) {
        Decoded decoded = Schema.standard().decode(kind, document);
        if (!decoded.wrong().isEmpty()) {
            throw malformed(kind, document, file, decoded.wrong().toString());
        }
        try {
            return kind.read(decoded.object());
        } catch (ModelException e) {
            throw malformed(kind, document, file, String.valueOf(e.getMessage()));
        }
    }

    private static MalformedDump malformed(Kind<?> kind, Document document, Path file, String problem) {
        String name = document.text("metadata", "name").orElse("without a name");
        return new MalformedDump(file + ": " + kind.name() + " "
                + document.text("metadata", "namespace")
                        .map(namespace -> namespace + "/")
                        .orElse("")
                + name + ": " + problem);
    }

    private static List<Document> documents(Path file) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return KubernetesYaml.standard().readAll(System.in, "standard input");
        }
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a directory");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return KubernetesYaml.standard().readAll(in, file.toString());
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (FileSystemException e) {
            throw new IOException(file + " cannot be read: " + FileFailures.reason(e), e);
        }
    }

    private static Optional<Kind<?>> kindOf(Document document) {
        return Kinds.standard()
                .byName(
                        document.text("apiVersion").orElse(""),
                        document.text("kind").orElse(""));
    }

    /** An object of a dump cannot be understood. */
    static final class MalformedDump extends RuntimeException {
        private static final long serialVersionUID = 1;

        MalformedDump(String message) {
            super(message);
        }
    }
}
