// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static dev.mooring.e2e.inside.StoreServer.line;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The store of another process, see {@link StoreServer}. Thread-safe. */
final class SocketStore implements ClusterStore {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final Path socket;

    SocketStore(Path socket) {
        this.socket = socket;
    }

    private SocketChannel ask(Document request) throws IOException {
        SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        StoreServer.send(connection, request);
        return connection;
    }

    private StoreResult<Document> answer(Document request) {
        try (SocketChannel connection = ask(request);
                BufferedReader reader = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
            String said = reader.readLine();
            if (said == null) {
                return StoreResult.failed(StoreResult.Failure.UNKNOWN, "no answer");
            }
            Document answer = JSON.read(said, "answer");
            return answer.text("failure")
                    .map(reason -> StoreResult.<Document>failed(
                            StoreResult.Failure.valueOf(reason),
                            answer.text("message").orElse("")))
                    .orElseGet(() -> StoreResult.ok(answer));
        } catch (IOException e) {
            return StoreResult.failed(StoreResult.Failure.UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    private static <T extends KubernetesObject> T object(Kind<T> kind, Document answer) {
        return kind.read(answer.object("object").orElseThrow());
    }

    private static Document named(String verb, Kind<?> kind, ObjectKey key) {
        return line("verb", verb, "kind", kind.name(), "namespace", key.namespace(), "name", key.name());
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return answer(named("get", kind, key)).map(answer -> object(kind, answer));
    }

    /** Selects nothing: controllers list whole kinds. */
    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        Document request = line(
                "verb",
                "list",
                "kind",
                kind.name(),
                "limit",
                String.valueOf(options.limit()),
                "continue",
                options.continueToken());
        return answer(request)
                .map(answer -> new ObjectList<>(
                        items(kind, answer),
                        revision(answer),
                        answer.text("continue").orElse("")));
    }

    private static <T extends KubernetesObject> List<T> items(Kind<T> kind, Document answer) {
        return ((List<?>) answer.asMap().get("items"))
                .stream().map(item -> kind.read(Document.of(fields(item)))).toList();
    }

    @SuppressWarnings("unchecked") // as JSON objects are read
    private static Map<String, ?> fields(Object item) {
        return (Map<String, ?>) item;
    }

    private static Revision revision(Document answer) {
        return Revision.parse(answer.text("revision").orElse(""));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        return answer(line(
                        "verb",
                        "create",
                        "kind",
                        kind.name(),
                        "object",
                        kind.write(object).asMap()))
                .map(answer -> object(kind, answer));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return changed("update", kind, change);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return changed("updateStatus", kind, change);
    }

    private <T extends KubernetesObject> StoreResult<T> changed(String verb, Kind<T> kind, Change<T> change) {
        Map<String, Object> base = kind.write(change.base()).asMap();
        Map<String, Object> edited = kind.write(change.edited()).asMap();
        return answer(line("verb", verb, "kind", kind.name(), "base", base, "object", edited))
                .map(answer -> object(kind, answer));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        Document request = line(
                "verb",
                "delete",
                "kind",
                kind.name(),
                "namespace",
                key.namespace(),
                "name",
                key.name(),
                "uid",
                options.uid(),
                "revision",
                options.revision().map(Revision::toString).orElse(""));
        return answer(request)
                .map(answer -> new Deletion<>(
                        object(kind, answer), answer.text("removed").orElse("").equals("true"), revision(answer)));
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        try {
            SocketChannel connection = ask(line("verb", "watch", "kind", kind.name(), "revision", after.toString()));
            Thread hearing = new Thread(() -> hear(connection, kind, listener), "watch-" + kind);
            hearing.setDaemon(true);
            hearing.start();
            return () -> {
                try {
                    connection.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T extends KubernetesObject> void hear(
            SocketChannel connection, Kind<T> kind, WatchListener<T> listener) {
        try (BufferedReader reader = new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
            for (String said = reader.readLine(); said != null; said = reader.readLine()) {
                Document event = JSON.read(said, "event");
                String type = event.text("type").orElse("");
                switch (type) {
                    case "BOOKMARK" -> listener.onBookmark(revision(event));
                    case "END" ->
                        listener.onEnd(
                                StoreResult.Failure.valueOf(
                                        event.text("failure").orElseThrow()),
                                event.text("message").orElse(""));
                    default ->
                        listener.onEvent(
                                new WatchEvent<>(WatchEvent.Type.valueOf(type), object(kind, event), revision(event)));
                }
            }
        } catch (IOException closed) {
            // By the watcher, or with the other process.
        }
    }

    @Override
    public void close() {}
}
