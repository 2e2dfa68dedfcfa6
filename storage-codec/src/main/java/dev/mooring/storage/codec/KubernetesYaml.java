// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apiguardian.api.API;

/**
 * YAML to documents and back. Immutable; thread-safe.
 *
 * <p>Scalars mean what the core schema of YAML 1.2 says: {@code yes}, {@code no}, {@code on} and {@code off} without quotes are strings,
 * unlike in YAML 1.1 and kubectl. When such strings are written they are quoted, so that both read the same. Keys are taken as strings as
 * they are written, but a plain {@code <<} merges what stands under it, as for kubectl. Aliases are followed, within {@link
 * CodecLimits#maxAliased}. Tags other than those of the core schema are refused.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KubernetesYaml {
    /** As many may begin where one is wanted: some programs write {@code ---} in front and at the end. */
    private static final int MOST_EMPTY = 100;

    private final CodecLimits limits;

    private KubernetesYaml(CodecLimits limits) {
        this.limits = limits;
    }

    /** Returns a codec with {@link CodecLimits#STANDARD}; never null. */
    public static KubernetesYaml standard() {
        return new KubernetesYaml(CodecLimits.STANDARD);
    }

    /** Returns a codec with other limits; never null. */
    public static KubernetesYaml withLimits(CodecLimits limits) {
        return new KubernetesYaml(limits);
    }

    /**
     * Reads all documents of a text. Empty ones are passed over.
     *
     * @param text the text, never null
     * @param source what errors call it, such as a file name; never null
     * @return the documents in order, unmodifiable; never null
     * @throws CodecException if the text is not YAML, a document is no object, a key is there twice, or a limit is broken
     */
    public List<Document> readAll(String text, String source) {
        limits.checkSize(text, source);
        return new YamlReader(limits, source).readAll(text, Integer.MAX_VALUE);
    }

    /**
     * Reads all documents of a stream in UTF-8, which stays open.
     *
     * @param in the stream, never null
     * @param source what errors call it, never null
     * @return the documents in order, unmodifiable; never null
     * @throws IOException if the stream fails
     * @throws CodecException as above
     */
    public List<Document> readAll(InputStream in, String source) throws IOException {
        return readAll(limits.read(in, source), source);
    }

    /**
     * Reads a text that holds one document.
     *
     * @param text the text, never null
     * @param source what errors call it, never null
     * @return the document, never null
     * @throws CodecException as above, or if there is not exactly one document
     */
    public Document read(String text, String source) {
        limits.checkSize(text, source);
        List<Document> documents = new YamlReader(limits, source).readAll(text, MOST_EMPTY);
        if (documents.size() != 1) {
            throw new CodecException(source, 0, 0, "must hold one document, not " + documents.size());
        }
        return documents.get(0);
    }

    /** Writes a document as kubectl does: block style, lists not indented below their key; ends with a line break; never null. */
    public String write(Document document) {
        return YamlWriter.write(document);
    }

    /** Writes documents with {@code ---} between them; never null. */
    public String writeAll(List<Document> documents) {
        return String.join("---\n", documents.stream().map(YamlWriter::write).toList());
    }
}
