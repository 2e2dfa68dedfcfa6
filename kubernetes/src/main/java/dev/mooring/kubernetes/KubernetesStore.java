// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.term.FencedStore;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
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
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A cluster as its API server shows it. Thread-safe.
 *
 * <p>A write is a JSON merge patch of the fields that changed, with the base's {@code resourceVersion} and uid as precondition; nothing
 * is ever repeated by itself. Many requests may be in flight at once, over one connection where the server speaks HTTP/2. A kind that the
 * server does not serve has no objects and its watch is silent; writing one is {@link Failure#NOT_FOUND}. While one is wanted that is
 * missing, the server is asked again ten seconds after any watch began, or after the definition of a kind that users define has changed,
 * and its watch ends with {@link Failure#GONE} when it has come.
 *
 * <p>What differs from other stores, by the server: fields that the server's schema lacks are pruned by it; an answer to a deletion
 * carries the revision of the deletion only from Kubernetes 1.27 on, and holds nothing but the identity for kinds whose deletion
 * the server answers with a mere status (Secret, ConfigMap, Lease, Node, Event); a watch from a revision that has not come waits for it.
 * A watch that the server refuses with a wait ({@code Retry-After}) ends when that time is over.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KubernetesStore implements ClusterStore {
    private final Transport transport;
    private final ApiDiscovery discovery;
    private final Reads reads;
    private final PatchWrites writes;
    private final WatchHost watches;

    private KubernetesStore(KubernetesStore whole, Tenure term) {
        this.transport = whole.transport;
        this.discovery = whole.discovery;
        this.reads = whole.reads;
        this.writes = new PatchWrites(transport, reads, term::isHeld);
        this.watches = whole.watches;
    }

    private KubernetesStore(Connection connection, KubernetesOptions options, Duration again) {
        TimeSource time = TimeSource.system();
        this.transport = new Transport(connection.config(), options, time);
        this.discovery = new ApiDiscovery(transport, time, again);
        this.reads = new Reads(transport, new StreamedLists(transport, time, options.watchTimeout()));
        this.writes = new PatchWrites(transport, reads, () -> true);
        this.watches = new WatchHost(transport, options, discovery, again);
    }

    /**
     * Makes a store. Makes no request: a server that does not answer is found by the first call.
     *
     * @param connection where the server is, never null
     * @param options how to use it, never null
     * @return the store, to be closed by the caller; never null
     */
    public static KubernetesStore open(Connection connection, KubernetesOptions options) {
        return open(connection, options, ApiDiscovery.AGAIN);
    }

    /** The same with another time after which the server is asked again for a kind that it lacked. */
    static KubernetesStore open(Connection connection, KubernetesOptions options, Duration again) {
        return new KubernetesStore(connection, options, again);
    }

    /**
     * The cluster for one leader, over the same connections: writes are sent only while its term is held, which is asked when a write is
     * handed over and again right before it is sent. So neither the wait for its turn under a {@link KubernetesOptions#limit limit} nor
     * what has to be read for it first outlives the term. A write that is held back is {@link Failure#UNAVAILABLE}.
     *
     * @param term when to write, never null
     * @return a store whose closing closes nothing, never null
     */
    public ClusterStore during(Tenure term) {
        return new FencedStore(new KubernetesStore(this, term), term);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return ifServed(kind, () -> reads.get(kind, key), absent(kind));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        StoreResult<ObjectList<T>> none = StoreResult.ok(new ObjectList<>(List.of(), Revision.ZERO, ""));
        StoreResult<ObjectList<T>> found = ifServed(kind, () -> reads.list(kind, options), none);
        boolean gone = found.failure().equals(Optional.of(Failure.NOT_FOUND))
                && discovery.servesStill(kind).value().equals(Optional.of(false));
        return gone ? none : found;
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        return discovery
                .serves(kind)
                .match(
                        served ->
                                served ? watches.watch(kind, options, after, listener) : watches.absent(kind, listener),
                        failed -> watches.ended(listener, failed.message()));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        return ifServed(kind, () -> writes.create(kind, object), absent(kind));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return ifServed(kind, () -> writes.change(kind, change, false), absent(kind));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return ifServed(kind, () -> writes.change(kind, change, true), absent(kind));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return ifServed(kind, () -> writes.delete(kind, key, options), absent(kind));
    }

    /**
     * Replaces an object as a whole, which loses what no model knows of it: for objects that no other program writes. The object's
     * {@code resourceVersion} is the precondition, if it has one.
     *
     * @param kind its kind, never null
     * @param object all of it but the status, never null
     * @return what it is now, or why not; never null
     */
    public <T extends KubernetesObject> StoreResult<T> replace(Kind<T> kind, T object) {
        return ifServed(kind, () -> writes.replace(kind, object), absent(kind));
    }

    /**
     * Asks for a token of a service account (the sub-resource {@code token}). Asking changes nothing in the cluster.
     *
     * @param account the service account, never null
     * @param request a {@code TokenRequest} of {@code authentication.k8s.io/v1}, never null
     * @return the request with its {@code status}, which holds the token: a secret; or why not; never null
     */
    public StoreResult<Document> requestToken(ObjectKey account, Document request) {
        return writes.ask(Kinds.SERVICE_ACCOUNT, account, "token", request);
    }

    /**
     * Asks whether the user of this connection may do something (a {@code SelfSubjectAccessReview}). Asking changes nothing in the cluster.
     *
     * @param verb such as {@code patch}, never null
     * @param kind what it would be done to, never null
     * @param object which of them, never null
     * @return whether they may; {@link Failure#UNAVAILABLE} also for a token that the server does not know
     */
    public StoreResult<Boolean> mayI(String verb, Kind<?> kind, ObjectKey object) {
        Map<String, Object> what = Map.of(
                "verb", verb,
                "group", kind.group(),
                "version", kind.version(),
                "resource", kind.plural(),
                "namespace", object.namespace(),
                "name", object.name());
        Document question = Document.of(Map.of(
                "apiVersion", "authorization.k8s.io/v1",
                "kind", "SelfSubjectAccessReview",
                "spec", Map.of("resourceAttributes", what)));
        return writes.ask("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", question)
                .map(answer -> answer.at("status", "allowed").equals(Optional.of(true)));
    }

    /**
     * Asks by which name the server knows the user of this connection (a {@code SelfSubjectReview}, which Kubernetes has since 1.28).
     *
     * @return the name; {@link Failure#NOT_FOUND} from an older server
     */
    public StoreResult<String> whoAmI() {
        Document question = Document.of(Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview"));
        return writes.ask("/apis/authentication.k8s.io/v1/selfsubjectreviews", question)
                .map(answer -> answer.text("status", "userInfo", "username").orElse(""));
    }

    private <R> StoreResult<R> ifServed(Kind<?> kind, Supplier<StoreResult<R>> request, StoreResult<R> otherwise) {
        Function<Boolean, StoreResult<R>> go = served -> served ? request.get() : otherwise;
        return discovery
                .serves(kind)
                .match(
                        go,
                        failed -> new StoreResult.Failed<>(
                                // asking who is there changes nothing
                                failed.reason() == Failure.THROTTLED ? Failure.THROTTLED : Failure.UNAVAILABLE,
                                failed.message(),
                                failed.retryAfter()));
    }

    private static <R> StoreResult<R> absent(Kind<?> kind) {
        return StoreResult.failed(
                Failure.NOT_FOUND, "the API server has no " + kind.plural() + " (" + kind.apiVersion() + ")");
    }

    @Override
    public Duration requestTimeout() {
        return transport.timeout();
    }

    @Override
    public void close() {
        transport.close();
        watches.close();
    }
}
