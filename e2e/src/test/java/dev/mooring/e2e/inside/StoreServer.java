// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows a store to other processes on a socket: one connection for each request, a line each way, and many lines back for a watch. Before
 * a write and after it a test may end the process that asked.
 */
final class StoreServer implements AutoCloseable {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final DocumentStore store;
    private final ServerSocketChannel listening;
    private final Writes writes;

    /** Sees writes. */
    interface Writes {
        /** Comes before it has an effect; answers whether it may have one. */
        boolean begins(String what);

        /** Comes after it had its effect, before it is answered. */
        void done(String what);
    }

    StoreServer(DocumentStore store, Path socket, Writes writes) {
        this.store = store;
        this.writes = writes;
        try {
            listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listening.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "store-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = listening.accept();
                daemon(() -> serve(connection));
            }
        } catch (ClosedChannelException closed) {
            // This is how it ends.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(SocketChannel connection) {
        try (connection;
                BufferedReader reader = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            if (line == null) {
                return;
            }
            Request request = new Request(JSON.read(line, "request"));
            if (request.verb().equals("watch")) {
                watch(request, connection, reader);
            } else {
                Optional<Document> answer = answer(request, request.kind());
                if (answer.isPresent()) {
                    send(connection, answer.get());
                }
            }
        } catch (IOException | UncheckedIOException gone) {
            System.out.println("   store: the other side has gone: " + gone.getMessage());
        }
    }

    /** Empty if there shall be no answer. */
    private <T extends KubernetesObject> Optional<Document> answer(Request request, Kind<T> kind) {
        boolean writing = !List.of("get", "list").contains(request.verb());
        String what = request.verb() + " " + kind.name();
        if (writing && !writes.begins(what)) {
            return Optional.empty();
        }
        StoreResult<Document> result = result(request, kind);
        if (writing && result.value().isPresent()) {
            writes.done(what);
        }
        return Optional.of(
                result.match(ok -> ok, failed -> line("failure", failed.reason().name(), "message", failed.message())));
    }

    private <T extends KubernetesObject> StoreResult<Document> result(Request request, Kind<T> kind) {
        return switch (request.verb()) {
            case "get" -> store.get(kind, request.key()).map(object -> one(kind, object));
            case "list" -> store.list(kind, request.listing()).map(list -> listed(kind, list));
            case "create" ->
                store.create(kind, kind.read(request.object("object"))).map(object -> one(kind, object));
            case "update" -> store.update(kind, change(request, kind)).map(object -> one(kind, object));
            case "updateStatus" ->
                store.updateStatus(kind, change(request, kind)).map(object -> one(kind, object));
            case "delete" ->
                store.delete(kind, request.key(), request.deletion()).map(deletion -> deleted(kind, deletion));
            default -> throw new IllegalArgumentException(request.verb());
        };
    }

    private static <T extends KubernetesObject> Change<T> change(Request request, Kind<T> kind) {
        return new Change<>(kind.read(request.object("base")), kind.read(request.object("object")));
    }

    private static <T extends KubernetesObject> Document one(Kind<T> kind, T object) {
        return line("object", kind.write(object).asMap());
    }

    private static <T extends KubernetesObject> Document listed(Kind<T> kind, ObjectList<T> list) {
        List<Map<String, Object>> items =
                list.items().stream().map(item -> kind.write(item).asMap()).toList();
        return line("items", items, "revision", list.revision().toString(), "continue", list.continueToken());
    }

    private static <T extends KubernetesObject> Document deleted(Kind<T> kind, Deletion<T> deletion) {
        return line(
                "object",
                kind.write(deletion.object()).asMap(),
                "removed",
                String.valueOf(deletion.removed()),
                "revision",
                deletion.revision().toString());
    }

    private void watch(Request request, SocketChannel connection, BufferedReader reader) throws IOException {
        DocumentListener telling = new DocumentListener() {
            @Override
            public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
                tell(connection, line("type", type.name(), "object", object.asMap(), "revision", revision.toString()));
            }

            @Override
            public void onBookmark(Revision revision) {
                tell(connection, line("type", "BOOKMARK", "revision", revision.toString()));
            }

            @Override
            public void onEnd(StoreResult.Failure reason, String message) {
                tell(connection, line("type", "END", "failure", reason.name(), "message", message));
            }
        };
        Watch watching = store.watchDocuments(request.kind(), ListOptions.ALL, request.revision(), telling);
        try {
            // Nothing more is asked on it: it lasts as long as the other side.
            reader.readLine();
        } finally {
            watching.close();
        }
    }

    private static void tell(SocketChannel connection, Document line) {
        try {
            send(connection, line);
        } catch (IOException gone) {
            // The listener finds out by reading.
        }
    }

    /** A line, whole. */
    static void send(SocketChannel connection, Document line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(JSON.write(line) + "\n");
        synchronized (connection) {
            while (bytes.hasRemaining()) {
                connection.write(bytes);
            }
        }
    }

    /** A line of pairs. */
    static Document line(Object... pairs) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put((String) pairs[i], pairs[i + 1]);
        }
        return Document.of(fields);
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is asked. */
    private record Request(Document line) {
        String verb() {
            return text("verb");
        }

        String text(String field) {
            return line.text(field).orElse("");
        }

        Document object(String field) {
            return line.object(field).orElseThrow();
        }

        Kind<?> kind() {
            return Kinds.standard().byKindName(text("kind")).orElseThrow();
        }

        ObjectKey key() {
            return kind().namespaced()
                    ? ObjectKey.of(text("namespace"), text("name"))
                    : ObjectKey.cluster(text("name"));
        }

        Revision revision() {
            return Revision.parse(text("revision"));
        }

        ListOptions listing() {
            return ListOptions.ALL.withLimit(Integer.parseInt(text("limit"))).after(text("continue"));
        }

        DeleteOptions deletion() {
            Optional<Revision> revision = text("revision").isEmpty() ? Optional.empty() : Optional.of(revision());
            return new DeleteOptions(text("uid"), revision, Optional.empty(), DeleteOptions.DEFAULT.propagation());
        }
    }
}
