// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import dev.mooring.apiserver.rest.exchange.Representation.Encoding;
import dev.mooring.storage.codec.CodecLimits;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** What a request is answered with: a body, or a stream of lines. */
public final class Answer {
    public static final String JSON_TYPE = "application/json";
    static final String YAML_TYPE = "application/yaml";
    /** What is answered was made here: it need not be refused again when it is read. */
    private static final KubernetesJson JSON =
            KubernetesJson.withLimits(new CodecLimits(Integer.MAX_VALUE, Short.MAX_VALUE, 0));

    private static final KubernetesYaml YAML = KubernetesYaml.standard();

    private final int status;
    private final String contentType;
    /** Written when it is wanted. */
    private final Optional<Document> object;

    private final byte[] body;
    private final Optional<Consumer<LineSink>> stream;
    private final List<String> warnings;
    private final OptionalLong retryAfter;

    private Answer(int status, String contentType, byte[] body) {
        this(status, contentType, Optional.empty(), body, Optional.empty(), List.of(), OptionalLong.empty());
    }

    private Answer(
            int status,
            String contentType,
            Optional<Document> object,
            byte[] body,
            Optional<Consumer<LineSink>> stream,
            List<String> warnings,
            OptionalLong retryAfter) {
        this.status = status;
        this.contentType = contentType;
        this.object = object;
        this.body = body;
        this.stream = stream;
        this.warnings = warnings;
        this.retryAfter = retryAfter;
    }

    public static Answer json(int status, Document document) {
        return json(status, JSON_TYPE, document);
    }

    public static Answer json(int status, String contentType, Document document) {
        return new Answer(
                status,
                contentType,
                Optional.of(document),
                new byte[0],
                Optional.empty(),
                List.of(),
                OptionalLong.empty());
    }

    public static Answer text(int status, String text) {
        return new Answer(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer binary(String contentType, byte[] body) {
        return new Answer(200, contentType, body.clone());
    }

    /**
     * A stream.
     *
     * @param contentType that of all its lines
     * @param start begins to send lines; called once, and must not block for long
     */
    public static Answer stream(String contentType, Consumer<LineSink> start) {
        return new Answer(
                200, contentType, Optional.empty(), new byte[0], Optional.of(start), List.of(), OptionalLong.empty());
    }

    /**
     * The same as a client wants it, if it is an object.
     *
     * @param accept the header; empty for anything
     */
    public Answer asWanted(String accept) {
        if (object.isEmpty() || !contentType.equals(JSON_TYPE)) {
            return this;
        }
        Encoding wanted = Representation.encodingOf(accept, true);
        if (wanted == Encoding.PROTOBUF) {
            Optional<byte[]> written = ProtobufObjects.write(object.get());
            if (written.isPresent()) {
                return with(ProtobufObjects.TYPE, written.get());
            }
            wanted = Representation.encodingOf(accept, false);
        }
        return wanted == Encoding.YAML
                ? with(YAML_TYPE, YAML.write(object.get()).getBytes(StandardCharsets.UTF_8))
                : this;
    }

    private Answer with(String newType, byte[] newBody) {
        return new Answer(status, newType, Optional.empty(), newBody, stream, warnings, retryAfter);
    }

    /** The same with warnings for the client. */
    public Answer withWarnings(List<String> texts) {
        return new Answer(status, contentType, object, body, stream, texts, retryAfter);
    }

    /** The same for a client that may ask again after so many seconds. */
    public Answer withRetryAfter(long seconds) {
        return new Answer(status, contentType, object, body, stream, warnings, OptionalLong.of(seconds));
    }

    /** In seconds; empty if nothing is said. */
    public OptionalLong retryAfter() {
        return retryAfter;
    }

    /** What the client's user is to be warned of. */
    public List<String> warnings() {
        return warnings;
    }

    /** A document in UTF-8. */
    public static byte[] bytes(Document document) {
        return JSON.write(document).getBytes(StandardCharsets.UTF_8);
    }

    public int status() {
        return status;
    }

    public String contentType() {
        return contentType;
    }

    public ByteBuffer body() {
        return ByteBuffer.wrap(object.map(Answer::bytes).orElse(body)).asReadOnlyBuffer();
    }

    public Optional<Consumer<LineSink>> stream() {
        return stream;
    }
}
