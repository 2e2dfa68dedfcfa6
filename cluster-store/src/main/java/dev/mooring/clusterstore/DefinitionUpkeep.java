// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.clusterstore.customresources.DefinitionStatus;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Revision;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an API server does by itself after definitions of custom resources changed: it accepts names, says what is served, and deletes the
 * objects of a definition before it lets that go. Each of these is a step of its own, made together with the write that causes it. Called
 * under the store's write lock.
 */
final class DefinitionUpkeep {
    private static final Kind<?> DEFINITION = CustomResourceDefinition.KIND;
    private static final DeleteOptions PLAIN = DeleteOptions.DEFAULT;

    private final DocumentEngine engine;
    private final InstantSource clock;
    private final CustomKinds customs;
    private final Consumer<Commit> commits;

    /**
     * Makes the upkeep of a store.
     *
     * @param commits is given each step; it calls {@link #after} with it
     */
    DefinitionUpkeep(DocumentEngine engine, InstantSource clock, CustomKinds customs, Consumer<Commit> commits) {
        this.engine = engine;
        this.clock = clock;
        this.customs = customs;
        this.commits = commits;
    }

    /** Learns from the engine what is defined. */
    void refresh() {
        customs.refresh(definitions().stream().map(StoredDocument::document).toList());
    }

    private List<StoredDocument> definitions() {
        List<StoredDocument> all = new ArrayList<>();
        engine.scan(DEFINITION, Optional.empty()).forEach(all::add);
        return all;
    }

    /** Does what follows from a step. */
    void after(Commit step) {
        if (step.kind() == DEFINITION) {
            refresh();
            settle(Fields.text(step.after().document(), "spec", "group"));
            engine.get(DEFINITION, step.key())
                    .filter(each -> Fields.isDeleting(each.document()))
                    .ifPresent(this::empty);
        } else if (step.removed()) {
            customs.ending(step.kind())
                    .flatMap(each -> engine.get(DEFINITION, ObjectKey.cluster(each.name())))
                    .ifPresent(definition -> finish(definition, step.kind()));
        }
    }

    /** One change at a time: it leads here again. */
    private void settle(String group) {
        List<StoredDocument> members = definitions().stream()
                .filter(each -> Fields.text(each.document(), "spec", "group").equals(group))
                .toList();
        for (StoredDocument each : members) {
            List<Document> others = members.stream()
                    .filter(other -> !other.key().equals(each.key()))
                    .map(StoredDocument::document)
                    .toList();
            Document settled = held(DefinitionStatus.settled(each.document(), others, clock.instant()));
            if (!settled.equals(each.document())) {
                put(each, settled, false);
                return;
            }
        }
    }

    private static Document held(Document definition) {
        List<String> finalizers = new ArrayList<>(Fields.finalizers(definition));
        if (Fields.isDeleting(definition) || finalizers.contains(DefinitionStatus.FINALIZER)) {
            return definition;
        }
        finalizers.add(DefinitionStatus.FINALIZER);
        return definition.with(finalizers, "metadata", "finalizers");
    }

    private void empty(StoredDocument definition) {
        Kind<?> kind = customs.stored(CustomKinds.accepted(definition.document()));
        List<StoredDocument> objects = new ArrayList<>();
        engine.scan(kind, Optional.empty()).forEach(objects::add);
        for (StoredDocument each : objects) {
            if (!Fields.isDeleting(each.document())) {
                DeletionRules.Verdict verdict = DeletionRules.decide(kind, each.document(), PLAIN, clock.instant());
                boolean unused = verdict.match(
                        () -> false, () -> put(each, each.document(), true), marked -> put(each, marked, false));
            }
        }
        engine.get(DEFINITION, definition.key()).ifPresent(left -> finish(left, kind));
    }

    private void finish(StoredDocument definition, Kind<?> kind) {
        List<String> finalizers = new ArrayList<>(Fields.finalizers(definition.document()));
        boolean waits = engine.scan(kind, Optional.empty()).iterator().hasNext();
        if (waits || !finalizers.remove(DefinitionStatus.FINALIZER)) {
            return;
        }
        Document free = finalizers.isEmpty()
                ? definition.document().without("metadata", "finalizers")
                : definition.document().with(finalizers, "metadata", "finalizers");
        put(definition, free, DeletionRules.isOver(definition.document(), free));
    }

    private boolean put(StoredDocument before, Document after, boolean removed) {
        Revision revision = new Revision(engine.revision().value() + 1);
        Document versioned = after.with(revision.toString(), "metadata", "resourceVersion");
        commits.accept(new Commit(Optional.of(before), StoredDocument.of(before.kind(), revision, versioned), removed));
        return true;
    }
}
