// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.FieldValidation;
import dev.mooring.apiserver.rest.exchange.LabelSelectors;
import dev.mooring.apiserver.rest.exchange.ListRules;
import dev.mooring.apiserver.rest.exchange.Parameters;
import dev.mooring.apiserver.rest.exchange.Presenter;
import dev.mooring.apiserver.rest.exchange.Representation.Encoding;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.rest.object.Applying;
import dev.mooring.apiserver.rest.object.Definitions;
import dev.mooring.apiserver.rest.object.Deletes;
import dev.mooring.apiserver.rest.object.Patching;
import dev.mooring.apiserver.rest.object.Scaling;
import dev.mooring.apiserver.rest.object.SeenVersions;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.apiserver.rest.watch.EventLines;
import dev.mooring.apiserver.rest.watch.WatchStream;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.WrongFields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What can be done with a target. Thread-safe. */
final class Verbs {
    /** Made at the start. They stay: Kubernetes refuses to delete three of them, and makes the other one again. */
    private static final Set<String> LASTING_NAMESPACES =
            Set.of("default", "kube-node-lease", "kube-public", "kube-system");

    /** Of these kinds an update makes what is not there. */
    private static final Set<Kind<?>> MADE_BY_UPDATE = Set.of(Kinds.LEASE, Kinds.EVENT, EventView.KIND);

    /** Of these kinds the API server says only that the object is gone; of all others it shows what it was. */
    private static final Set<Kind<?>> TOLD_BY_STATUS = Set.of(
            Kinds.CONFIG_MAP,
            Kinds.CSI_STORAGE_CAPACITY,
            Kinds.EVENT,
            EventView.KIND,
            Kinds.LEASE,
            Kinds.NODE,
            Kinds.SECRET);

    private static final Failed<Document> ANOTHER =
            new Failed<>(Failure.CONFLICT, "Precondition failed: there is no object of this UID", Optional.empty());

    /** How the warning of a kind ends for which there is no controller. */
    static final String ONLY_STORED = " are only stored: no controller of this server acts on them";

    private final ServedStore store;
    private final InstantSource clock;
    private final EventLines json = new EventLines(Encoding.JSON);
    private final EventLines protobuf = new EventLines(Encoding.PROTOBUF);
    private final Scaling scaling;

    Verbs(ServedStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.scaling = new Scaling(store);
    }

    Answer perform(ApiRequest request, RequestTarget target) {
        Parameters.requireHonoured(request, target);
        boolean one = !target.name().isEmpty();
        if (one && target.isScale()) {
            return scaling.answer(request, target, writing(request));
        }
        return switch (request.method()) {
            case "GET" ->
                request.flag("watch") ? watch(request, target) : one ? get(request, target) : list(request, target);
            case "POST" -> {
                boolean everywhere =
                        target.kind().namespaced() && target.namespace().isEmpty();
                if (one || everywhere) {
                    throw RestFailure.methodNotAllowed();
                }
                yield create(request, target);
            }
            case "PUT" -> {
                if (!one) {
                    throw RestFailure.methodNotAllowed();
                }
                yield update(request, target);
            }
            case "PATCH" -> {
                if (!one) {
                    throw RestFailure.methodNotAllowed();
                }
                yield patch(request, target);
            }
            case "DELETE" -> {
                if (!(one ? target.subresource().isEmpty() : target.isCleared())) {
                    throw RestFailure.methodNotAllowed();
                }
                yield one ? delete(request, target) : deleteAll(request, target);
            }
            default -> throw RestFailure.methodNotAllowed();
        };
    }

    private Answer get(ApiRequest request, RequestTarget target) {
        Presenter presenter = new Presenter(target.resource(), request, clock);
        String version = request.parameter("resourceVersion");
        if (!version.isEmpty()) {
            Revision wanted = Deletes.revision(version);
            Revision current = current(target.kind(), ListOptions.ALL);
            if (wanted.isAfter(current)) {
                throw Statuses.tooLarge(wanted, current);
            }
        }
        return Answer.json(200, presenter.one(value(target, store.getDocument(target.kind(), target.key()))));
    }

    private Revision current(Kind<?> kind, ListOptions options) {
        return listed(kind, store.listDocuments(kind, options.withLimit(1))).revision();
    }

    private Answer list(ApiRequest request, RequestTarget target) {
        ListRules.require(request);
        Presenter presenter = new Presenter(target.resource(), request, clock);
        ObjectList<Document> list =
                listed(target.kind(), store.listDocuments(target.kind(), options(request, target, true)));
        checkRevision(request, list.revision());
        return Answer.json(200, presenter.list(list));
    }

    private static void checkRevision(ApiRequest request, Revision shown) {
        String wanted = request.parameter("resourceVersion");
        if (wanted.isEmpty() || !request.parameter("continue").isEmpty()) {
            return;
        }
        Revision revision = Deletes.revision(wanted);
        if (revision.isAfter(shown)) {
            throw Statuses.tooLarge(revision, shown);
        }
        if (request.parameter("resourceVersionMatch").equals("Exact") && !revision.equals(shown)) {
            throw RestFailure.of(410, "Expired", "The resourceVersion for the provided list is too old.");
        }
    }

    private ListOptions options(ApiRequest request, RequestTarget target, boolean pages) {
        Optional<Long> unused = request.number("timeoutSeconds"); // a watch's end is set by the streaming thread
        String fields = request.parameter("fieldSelector");
        if (!target.name().isEmpty()) {
            String one = "metadata.name=" + target.name();
            fields = fields.isEmpty() ? one : fields + "," + one;
        }
        return new ListOptions(
                target.namespace(),
                LabelSelectors.parse(request.parameter("labelSelector")),
                fields,
                pages ? request.limit() : 0,
                pages ? request.parameter("continue") : "");
    }

    private Answer watch(ApiRequest request, RequestTarget target) {
        Presenter presenter = new Presenter(target.resource(), request, clock);
        presenter.representation().requireOfWatch();
        ListRules.requireOfWatch(request);
        ListOptions options = options(request, target, false);
        // Errors of the request are answered before the stream begins.
        Revision current = current(target.kind(), options);
        String version = request.parameter("resourceVersion");
        boolean told = !request.parameter("sendInitialEvents").isEmpty();
        boolean initial = request.flag("sendInitialEvents");
        if (initial) {
            checkRevision(request, current);
        }
        boolean anywhere = version.isEmpty() || version.equals("0");
        Revision begin = anywhere ? current : Deletes.revision(version);
        Optional<Revision> after = initial || (anywhere && !told) ? Optional.empty() : Optional.of(begin);
        EventLines lines = presenter.representation().encoding() == Encoding.PROTOBUF ? protobuf : json;
        WatchStream stream =
                new WatchStream(target.resource(), options, presenter, lines, request.flag("allowWatchBookmarks"));
        return Answer.stream(lines.contentType(), sink -> stream.start(store, sink, after, initial));
    }

    private Answer create(ApiRequest request, RequestTarget target) {
        Definitions.requireLasting(target);
        FieldValidation validation = FieldValidation.of(request);
        Decoded given = Bodies.object(request, target, validation, WrongFields.NONE);
        judge(validation, target.kind(), given, List.of());
        return made(request, target, given.object(), validation);
    }

    private Answer made(ApiRequest request, RequestTarget target, Document given, FieldValidation validation) {
        Document object = Bodies.prepared(target.kind(), given);
        Presenter presenter = new Presenter(target.resource(), request, clock);
        if (target.kind().namespaced()) {
            value(Kinds.NAMESPACE, target.namespace(), namespace(target));
        }
        String name = object.text("metadata", "name").orElse("");
        Document created = writing(request)
                .createDocument(target.kind(), object)
                .match(ok -> ok, failed -> {
                    RestFailure refusal = Statuses.of(target.kind(), name, failed);
                    throw failed.reason() == Failure.FORBIDDEN && isEnding(target)
                            ? Statuses.terminating(refusal, target.namespace())
                            : refusal;
                });
        List<String> warnings = new ArrayList<>(validation.warnings());
        if (StoredKinds.isOnlyStored(target.kind())) {
            warnings.add(target.kind().plural() + ONLY_STORED);
        }
        warnings.addAll(Definitions.warnings(target, created));
        return Answer.json(201, presenter.one(created)).withWarnings(warnings);
    }

    private StoreResult<Document> namespace(RequestTarget target) {
        return store.getDocument(Kinds.NAMESPACE, ObjectKey.cluster(target.namespace()));
    }

    private boolean isEnding(RequestTarget target) {
        return namespace(target)
                .value()
                .filter(each -> each.text("metadata", "deletionTimestamp").isPresent())
                .isPresent();
    }

    private ServedStore writing(ApiRequest request) {
        ServedStore asUser = store.as("user").writtenBy(request.author());
        return request.isDryRun() ? asUser.dryRun() : asUser;
    }

    private Answer update(ApiRequest request, RequestTarget target) {
        FieldValidation validation = FieldValidation.of(request);
        StoreResult<Document> current = store.getDocument(target.kind(), target.key());
        // What was there before is not this client's doing.
        Decoded before = target.resource().decode(current.value().orElse(Document.empty()));
        Decoded decoded = Bodies.object(request, target, validation, before.wrong());
        Document given = decoded.object();
        judge(validation, target.kind(), decoded, before.unknown());
        boolean missing = current.failure().equals(Optional.of(Failure.NOT_FOUND));
        if (missing && target.subresource().isEmpty() && MADE_BY_UPDATE.contains(target.kind())) {
            if (!given.text("metadata", "uid").orElse("").isEmpty()) {
                throw Statuses.of(target.kind(), target.name(), ANOTHER);
            }
            return made(request, target, given.without("metadata", "resourceVersion"), validation);
        }
        if (!missing) {
            SeenVersions.require(target, given);
        }
        Document object = Bodies.prepared(target.kind(), given);
        Presenter presenter = new Presenter(target.resource(), request, clock);
        Document updated = value(target, writing(request).replaceDocument(target.kind(), target.subresource(), object));
        return Answer.json(200, presenter.one(updated))
                .withWarnings(Definitions.andWarnings(validation.warnings(), target, updated));
    }

    private Answer patch(ApiRequest request, RequestTarget target) {
        Presenter presenter = new Presenter(target.resource(), request, clock);
        if (Applying.isAsked(request)) {
            return Applying.answer(writing(request), request, target, presenter, clock.instant());
        }
        FieldValidation validation = FieldValidation.of(request);
        StoreResult<Document> result = Patching.patch(writing(request), request, target, validation);
        Document patched = value(target, result);
        return Answer.json(200, presenter.one(patched))
                .withWarnings(Definitions.andWarnings(validation.warnings(), target, patched));
    }

    private static void judge(FieldValidation validation, Kind<?> kind, Decoded given, List<String> excused) {
        validation.unknown(given.unknown(), excused);
        validation.enforce(kind);
    }

    private Answer delete(ApiRequest request, RequestTarget target) {
        Deletes deletes = Deletes.of(request);
        Presenter presenter = new Presenter(target.resource(), request, clock);
        Document answer = deleted(target.resource(), target.key(), deletes);
        boolean isObject = answer.text("kind").equals(Optional.of(target.kind().name()));
        return Answer.json(200, isObject ? presenter.one(answer) : answer);
    }

    private Document deleted(Resource resource, ObjectKey key, Deletes deletes) {
        Kind<?> kind = resource.kind();
        boolean isCustom = resource.custom().isPresent();
        if (kind == Kinds.NAMESPACE && LASTING_NAMESPACES.contains(key.name())) {
            // With it would go everything that is in it, and programs here would lack it until the next start.
            throw Statuses.forbidden(kind, key.name(), "this namespace may not be deleted");
        }
        ServedStore asUser = store.as("user");
        ServedStore writing = deletes.dryRun() ? asUser.dryRun() : asUser;
        DeleteOptions options =
                deletes.optionsFor(store.getDocument(kind, key).value().orElse(Document.empty()));
        if (!TOLD_BY_STATUS.contains(kind) && !isCustom) {
            return value(kind, key.name(), writing.deleteObject(kind, key, options));
        }
        Deletion<? extends KubernetesObject> deletion = value(kind, key.name(), writing.delete(kind, key, options));
        Document gone =
                Statuses.deleted(kind, key.name(), deletion.object().metadata().uid());
        return deletion.removed() ? gone : store.getDocument(kind, key).value().orElse(gone);
    }

    private Answer deleteAll(ApiRequest request, RequestTarget target) {
        Deletes deletes = Deletes.of(request);
        ListRules.require(request);
        ObjectList<Document> list =
                listed(target.kind(), store.listDocuments(target.kind(), options(request, target, true)));
        checkRevision(request, list.revision());
        for (Document object : list.items()) {
            ObjectKey key = ObjectKey.of(
                    object.text("metadata", "namespace").orElse(""),
                    object.text("metadata", "name").orElse(""));
            try {
                deleted(target.resource(), key, deletes);
            } catch (RestFailure e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        return Answer.json(200, new Presenter(target.resource(), request, clock).list(list));
    }

    private static Document value(RequestTarget target, StoreResult<Document> result) {
        return value(target.kind(), target.name(), result);
    }

    private static <R> R value(Kind<?> kind, String name, StoreResult<R> result) {
        return result.orThrow(failed -> Statuses.of(kind, name, failed));
    }

    private static ObjectList<Document> listed(Kind<?> kind, StoreResult<ObjectList<Document>> result) {
        return result.match(ok -> ok, failed -> {
            if (failed.reason() == Failure.INVALID) {
                throw RestFailure.badRequest(failed.message());
            }
            throw Statuses.of(kind, "", failed);
        });
    }
}
