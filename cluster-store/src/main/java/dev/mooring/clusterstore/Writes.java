// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.admission.Admission;
import dev.mooring.clusterstore.admission.AdmissionRequest;
import dev.mooring.clusterstore.admission.AdmissionView;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.defaulting.Defaulting;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.fields.Messages;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModelException;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The writes, each from request to commit: identity, defaults, admission that adds, validation, admission that forbids, commit; the
 * order is the API server's. Called under the store's write lock.
 */
final class Writes {
    private static final int NAME_TRIES = 8;
    private static final int LONGEST_GENERATED_PREFIX = 58;

    private final DocumentEngine engine;
    private final StoreOptions options;
    private final CustomKinds customs;
    private final Consumer<Commit> commits;
    private final AdmissionView view;

    /**
     * Makes the writes of a store.
     *
     * @param commits is given each step in the end
     */
    Writes(DocumentEngine engine, StoreOptions options, CustomKinds customs, Consumer<Commit> commits) {
        this.customs = customs;
        this.engine = engine;
        this.options = options;
        this.commits = commits;
        this.view = new EngineView(engine, options.kinds());
    }

    Written create(Kind<?> kind, Document document, Author writer) {
        Author author = writer.knowing(customs.current());
        requireLasting(kind);
        Document wanted = ServerFields.typed(kind, document);
        if (!Fields.resourceVersion(wanted).isEmpty()) {
            throw new Refused(Failure.INVALID, "resourceVersion should not be set on objects to be created");
        }
        Instant now = options.clock().instant();
        String name = nameFor(kind, wanted);
        Document object = ServerFields.created(
                kind,
                wanted.without("metadata", "resourceVersion"),
                name,
                options.ids().newUid(),
                now);
        if (isCustom(kind)) {
            object = object.with(1L, "metadata", "generation");
        }
        Document sent = object;
        Document meant = Defaulting.onUpdate(kind, sent);
        object = author.noteCreation(kind, meant, Defaulting.onCreate(kind, sent, meant, now), now);
        AdmissionRequest request = new AdmissionRequest(kind, "", Optional.empty(), object, author.client());
        request = request.withObject(mutated(request));
        StoredDocument next = readable(kind, request.object());
        check(kind, name, validation(kind).onCreate(kind, request.object()));
        admitted(request, name);
        engine.get(stored(kind), next.key()).ifPresent(there -> {
            throw new Refused(
                    Failure.ALREADY_EXISTS,
                    Fields.isDeleting(there.document())
                            ? Messages.stillThere(kind, name)
                            : Messages.alreadyExists(kind, name));
        });
        return commit(Optional.empty(), next, false);
    }

    private String nameFor(Kind<?> kind, Document wanted) {
        String given = Fields.name(wanted);
        String prefix = Fields.text(wanted, "metadata", "generateName");
        if (!given.isEmpty() || prefix.isEmpty()) {
            return given;
        }
        String start =
                prefix.length() > LONGEST_GENERATED_PREFIX ? prefix.substring(0, LONGEST_GENERATED_PREFIX) : prefix;
        String name = start + options.ids().newSuffix();
        for (int i = 1; i < NAME_TRIES; i++) {
            if (engine.get(stored(kind), ObjectKey.of(Fields.namespace(wanted), name))
                    .isEmpty()) {
                return name;
            }
            name = start + options.ids().newSuffix();
        }
        return name;
    }

    /**
     * Changes an object.
     *
     * @param edit makes the wanted document of the current one; may refuse
     */
    Written change(Kind<?> kind, ObjectKey key, String subresource, Author writer, UnaryOperator<Document> edit) {
        Author author = writer.knowing(customs.current());
        boolean statusOnly = isStatus(kind, subresource);
        StoredDocument current = existing(kind, key);
        Document before = customs.current().shown(kind, current.document());
        Document wanted = ServerFields.typed(kind, edit.apply(before));
        Document after = ServerFields.changed(kind, before, wanted, statusOnly);
        Instant now = options.clock().instant();
        if (after.equals(before)
                && author.noteNothing(kind, subresource, before, wanted, now).equals(before)) {
            return Written.nothing(current);
        }
        Document defaulted =
                statusOnly ? Defaulting.onStatusUpdate(kind, before, after, now) : Defaulting.onUpdate(kind, after);
        defaulted = author.noteChange(kind, subresource, before, defaulted, wanted, now);
        AdmissionRequest request =
                new AdmissionRequest(kind, subresource, Optional.of(before), defaulted, author.client());
        request = request.withObject(mutated(request));
        if (request.object().equals(before)) {
            return Written.nothing(current);
        }
        Document result = statusOnly ? request.object() : counted(kind, before, request.object());
        StoredDocument next = readable(kind, result);
        if (!next.key().equals(key)) {
            String problem =
                    "the name of the object (" + next.key() + ") does not match the name of the request (" + key + ")";
            throw new Refused(Failure.INVALID, problem);
        }
        check(
                kind,
                key.name(),
                statusOnly
                        ? validation(kind).onStatusUpdate(kind, before, result)
                        : validation(kind).onUpdate(kind, Defaulting.onUpdate(kind, before), result));
        admitted(request.withObject(result), key.name());
        return commit(Optional.of(current), next, DeletionRules.isOver(before, result));
    }

    private boolean isCustom(Kind<?> kind) {
        return customs.current().of(kind).isPresent();
    }

    private Kind<?> stored(Kind<?> kind) {
        return customs.current().storedAs(kind);
    }

    private Document counted(Kind<?> kind, Document before, Document after) {
        return isCustom(kind) ? ServerFields.countedWhole(kind, before, after) : ServerFields.counted(before, after);
    }

    private Validation validation(Kind<?> kind) {
        return customs.current()
                .of(kind)
                .map(custom -> options.validation().with(kind, custom.rules()))
                .orElseGet(options::validation);
    }

    private void requireLasting(Kind<?> kind) {
        if (customs.current()
                .of(kind)
                .filter(each -> each.definition().deleting())
                .isPresent()) {
            throw new Refused(Failure.FORBIDDEN, "create not allowed while custom resource definition is terminating");
        }
    }

    private static boolean isStatus(Kind<?> kind, String subresource) {
        if (!subresource.isEmpty() && !(subresource.equals("status") && kind.hasStatus())) {
            throw new Refused(Failure.NOT_FOUND, Messages.noSubresource(kind, subresource));
        }
        return !subresource.isEmpty();
    }

    Written load(Kind<?> kind, Document document) {
        Document wanted = ServerFields.typed(kind, document);
        ObjectKey key = ServerFields.key(wanted);
        List<String> problems = new ArrayList<>();
        if (key.name().isEmpty()) {
            problems.add("metadata.name: Required value");
        }
        if (key.namespace().isEmpty() == kind.namespaced()) {
            problems.add(
                    kind.namespaced()
                            ? "metadata.namespace: Required value"
                            : "metadata.namespace: Forbidden: not allowed on this type");
        }
        if (!problems.isEmpty()) {
            throw new Refused(Failure.INVALID, Messages.invalid(kind, key.name(), problems));
        }
        if (Fields.uid(wanted).isEmpty()) {
            wanted = wanted.with(options.ids().newUid(), "metadata", "uid");
        }
        Optional<StoredDocument> before = engine.get(stored(kind), key);
        Optional<Revision> given = givenRevision(kind, wanted)
                .filter(revision ->
                        before.isEmpty() || revision.isAfter(before.get().revision()));
        Revision revision =
                given.filter(each -> each.isAfter(engine.revision())).orElseGet(this::nextRevision);
        Document kept = wanted.with(given.orElse(revision).toString(), "metadata", "resourceVersion");
        return commitAt(before, read(kind, revision, kept), false);
    }

    private static Optional<Revision> givenRevision(Kind<?> kind, Document wanted) {
        String text = Fields.resourceVersion(wanted);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Revision.parse(text));
        } catch (IllegalArgumentException e) {
            String problem =
                    "metadata.resourceVersion: Invalid value: " + Messages.quoted(text) + ": must be a decimal number";
            throw new Refused(Failure.INVALID, Messages.invalid(kind, Fields.name(wanted), List.of(problem)));
        }
    }

    Written delete(Kind<?> kind, ObjectKey key, DeleteOptions how) {
        StoredDocument current = existing(kind, key);
        Document before = current.document();
        Preconditions.check(
                kind, before, how.uid(), how.revision().map(Revision::toString).orElse(""));
        return DeletionRules.decide(kind, before, how, options.clock().instant())
                .match(
                        () -> Written.nothing(current),
                        () -> commit(Optional.of(current), current, true),
                        marked -> commit(Optional.of(current), readable(kind, marked), false));
    }

    private StoredDocument existing(Kind<?> kind, ObjectKey key) {
        return engine.get(stored(kind), key)
                .orElseThrow(() -> new Refused(Failure.NOT_FOUND, Messages.notFound(kind, key.name())));
    }

    private Document mutated(AdmissionRequest request) {
        AdmissionRequest current = request;
        for (Admission admission : options.admissions()) {
            current = current.withObject(admission.mutate(current, view));
        }
        return current.object();
    }

    private void admitted(AdmissionRequest request, String name) {
        for (Admission admission : options.admissions()) {
            admission.refusal(request, view).ifPresent(why -> {
                throw new Refused(Failure.FORBIDDEN, Messages.forbidden(request.kind(), name, why));
            });
        }
    }

    private static void check(Kind<?> kind, String name, List<FieldError> problems) {
        if (!problems.isEmpty()) {
            throw new Refused(Failure.INVALID, Messages.invalid(kind, name, problems));
        }
    }

    private Revision nextRevision() {
        return new Revision(engine.revision().value() + 1);
    }

    /** The next version of an object: it carries the next revision and can be read. */
    private StoredDocument readable(Kind<?> kind, Document document) {
        Revision revision = nextRevision();
        return read(kind, revision, document.with(revision.toString(), "metadata", "resourceVersion"));
    }

    private StoredDocument read(Kind<?> kind, Revision revision, Document document) {
        try {
            return StoredDocument.of(stored(kind), revision, document);
        } catch (ModelException e) {
            String problem = e.getMessage() == null ? e.field() : e.getMessage();
            throw new Refused(Failure.INVALID, Messages.invalid(kind, Fields.name(document), List.of(problem)));
        }
    }

    private Written commit(Optional<StoredDocument> before, StoredDocument next, boolean removed) {
        Revision revision = nextRevision();
        return commitAt(before, next.revision().equals(revision) ? next : next.at(revision), removed);
    }

    private Written commitAt(Optional<StoredDocument> before, StoredDocument next, boolean removed) {
        Commit step = new Commit(before, next, removed);
        commits.accept(step);
        return new Written(next, removed, Optional.of(step.revision()));
    }

    private record EngineView(DocumentEngine engine, Kinds kinds) implements AdmissionView {
        @Override
        public Optional<Document> get(Kind<?> kind, ObjectKey key) {
            return kinds.all().contains(kind) ? engine.get(kind, key).map(StoredDocument::document) : Optional.empty();
        }

        @Override
        public List<Document> list(Kind<?> kind) {
            List<Document> all = new ArrayList<>();
            engine.scan(kind, Optional.empty()).forEach(object -> all.add(object.document()));
            return all;
        }
    }
}
