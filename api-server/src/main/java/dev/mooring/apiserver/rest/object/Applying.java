// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.FieldValidation;
import dev.mooring.apiserver.rest.exchange.ObjectSize;
import dev.mooring.apiserver.rest.exchange.Presenter;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.clusterstore.fieldmanagement.Applied;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.clusterstore.fieldmanagement.FieldManagement;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.Optional;

/**
 * Carries out server-side apply. It merges what the client wants into the object as it was read, and writes it if no other write came between.
 * {@link FieldManagement} decides who then manages which field.
 */
public final class Applying {
    static final String TYPE = "application/apply-patch+yaml";

    private final ServedStore store;
    private final RequestTarget target;
    private final FieldManagement management;
    private final Document configuration;
    private final String manager;
    private final boolean force;
    private final Instant now;

    private Applying(
            ServedStore store,
            ApiRequest request,
            RequestTarget target,
            FieldManagement management,
            Document configuration,
            Instant now) {
        this.store = store.writtenBy(Authorship.APPLIED);
        this.target = target;
        this.management = management;
        this.configuration = configuration;
        this.manager = request.applier();
        this.force = request.flag("force");
        this.now = now;
    }

    public static boolean isAsked(ApiRequest request) {
        return request.contentType().equals(TYPE);
    }

    /** Whether the object was made, and how it is now. */
    private record Outcome(boolean created, Document object) {}

    public static Answer answer(
            ServedStore store, ApiRequest request, RequestTarget target, Presenter presenter, Instant now) {
        String unused = request.applier();
        FieldValidation validation = FieldValidation.of(request);
        FieldManagement management = target.resource()
                .management(target.subresource())
                .orElseThrow(() -> new IllegalStateException("the schema has no " + target.kind()));
        Document configuration = read(request, target, management);
        Applying applying = new Applying(store, request, target, management, configuration, now);
        Outcome outcome = Conflicts.outlasted(applying::once)
                .orThrow(failed -> Statuses.of(target.kind(), target.name(), failed));
        return Answer.json(outcome.created() ? 201 : 200, presenter.one(outcome.object()))
                .withWarnings(Definitions.andWarnings(validation.warnings(), target, outcome.object()));
    }

    private static Document read(ApiRequest request, RequestTarget target, FieldManagement management) {
        Document configuration = yaml(request.body());
        String apiVersion = configuration.text("apiVersion").orElse("");
        if (!apiVersion.equals(target.kind().apiVersion())) {
            throw RestFailure.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + apiVersion + ", expected: " + target.kind().apiVersion());
        }
        Object kind = configuration.at("kind").orElse("");
        if (!kind.equals(target.kind().name())) {
            throw RestFailure.badRequest("Incorrect kind specified in apply patch. Specified patch kind: " + kind
                    + ", expected: " + target.kind().name());
        } else if (configuration.at("metadata", "managedFields").orElse(JsonNull.NULL) != JsonNull.NULL) {
            throw RestFailure.badRequest("metadata.managedFields must be nil");
        }
        Decoded decoded = target.resource().decode(configuration);
        Optional<String> problem = decoded.wrong().isEmpty()
                ? decoded.unknown().stream()
                        .findFirst()
                        .map(field -> "." + field + ": field not declared in schema")
                        .or(() -> management.problem(configuration))
                : Optional.of("." + decoded.wrong());
        problem.ifPresent(why -> {
            throw untyped(configuration, target, why);
        });
        return configuration;
    }

    /** The API server says this with 500, though it is the client that errs. */
    private static RestFailure untyped(Document configuration, RequestTarget target, String why) {
        String name = configuration.text("metadata", "name").orElse("");
        return RestFailure.badRequest("failed to create typed patch object (" + target.namespace() + "/" + name + "; "
                + target.kind().group() + "/" + target.kind().version() + ", Kind="
                + target.kind().name() + "): " + why);
    }

    private static Document yaml(String text) {
        try {
            return Bodies.yaml(text);
        } catch (RestFailure e) {
            throw RestFailure.badRequest("error decoding YAML: " + e.getMessage());
        }
    }

    private StoreResult<Outcome> once() {
        StoreResult<Document> found = store.getDocument(target.kind(), target.key());
        boolean missing = found.failure().filter(Failure.NOT_FOUND::equals).isPresent();
        if (missing && target.subresource().isEmpty()) {
            return create();
        } else if (found.value().isEmpty()) {
            return found.map(object -> new Outcome(false, object));
        }
        Document live = found.orThrow();
        Document wanted = applied(live);
        ObjectSize.require(target, live, wanted);
        SeenVersions.require(target, wanted);
        return store.replaceDocument(target.kind(), target.subresource(), Patching.pinned(wanted, live))
                .map(object -> new Outcome(false, object));
    }

    private StoreResult<Outcome> create() {
        if (target.kind().namespaced()) {
            ObjectKey namespace = ObjectKey.cluster(target.namespace());
            store.getDocument(Kinds.NAMESPACE, namespace)
                    .orThrow(failed -> Statuses.of(Kinds.NAMESPACE, target.namespace(), failed));
        }
        Document wanted = applied(Document.empty()).without("metadata", "resourceVersion");
        StoreResult<Document> created = store.createDocument(target.kind(), wanted);
        boolean raced = created.failure().filter(Failure.ALREADY_EXISTS::equals).isPresent();
        return raced
                ? StoreResult.failed(Failure.CONFLICT, "another client has created it")
                : created.map(object -> new Outcome(true, object));
    }

    /** The object that is wanted: the live one with the configuration, with its managers. */
    private Document applied(Document live) {
        Applied applied = management.apply(live, configuration, manager, force, now);
        if (!applied.conflicts().isEmpty()) {
            throw Statuses.conflicts(applied);
        }
        Document object = target.resource().decode(applied.object()).object();
        if (target.kind().namespaced() && object.at("metadata", "namespace").isEmpty()) {
            object = object.with(target.namespace(), "metadata", "namespace");
        }
        Patching.requireSame(target, object);
        return Bodies.prepared(target.kind(), object);
    }
}
