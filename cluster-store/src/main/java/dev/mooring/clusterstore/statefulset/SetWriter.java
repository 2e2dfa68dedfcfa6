// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Carries acts out, under the name of kube-controller-manager, and tells people of them in Kubernetes' words. What a write was answered is
 * known at once, before a watch tells it. Confined to one thread.
 */
final class SetWriter {
    private static final String COMPONENT = "statefulset-controller";
    private static final String MANAGER = "kube-controller-manager";

    private final DocumentStore store;
    private final WatchedObjects known;
    private final EventSink events;

    SetWriter(DocumentStore store, WatchedObjects known, EventSink events) {
        this.store = store.as(COMPONENT).writtenBy(Authorship.of(MANAGER));
        this.known = known;
        this.events = events;
    }

    /** Carries an act out; answers whether that succeeded. */
    boolean carryOut(SetAct act, Document set) {
        if (act instanceof SetAct.MakeRevision made) {
            return make(made, set);
        } else if (act instanceof SetAct.MakePod made) {
            return make(made, set);
        } else if (act instanceof SetAct.MakeClaims made) {
            return made.claims().stream()
                    .filter(claim -> makeClaim(claim, made.pod(), set).isPresent())
                    .findAny()
                    .isEmpty();
        } else if (act instanceof SetAct.Replace replace) {
            return replaced(replace.kind(), "", replace.object());
        } else if (act instanceof SetAct.Adopt adopt) {
            return lives(set) && replaced(adopt.kind(), "", adopt.object());
        } else if (act instanceof SetAct.EndPod end) {
            return end(end.pod(), set);
        } else if (act instanceof SetAct.ForgetRevision forgotten) {
            return deleted(StoredKinds.CONTROLLER_REVISION, forgotten.revision())
                    .isEmpty();
        }
        throw new IllegalStateException("unknown act: " + act);
    }

    private boolean lives(Document set) {
        return store.getDocument(StoredKinds.STATEFUL_SET, keyOf(set))
                .value()
                .filter(now -> Fields.uid(now).equals(Fields.uid(set)) && !Fields.isDeleting(now))
                .isPresent();
    }

    /** Shows a status; answers whether that succeeded. */
    boolean show(Document set) {
        return replaced(StoredKinds.STATEFUL_SET, "status", set);
    }

    private boolean replaced(Kind<?> kind, String subresource, Document object) {
        return store.replaceDocument(kind, subresource, object)
                .match(
                        ok -> {
                            known.put(kind, ok);
                            return true;
                        },
                        failed -> false);
    }

    private StoreResult<Document> created(Kind<?> kind, Document object) {
        StoreResult<Document> result = store.createDocument(kind, object);
        result.value().ifPresent(created -> known.put(kind, created));
        return result;
    }

    /** Another revision of that name has the hash of this one by chance: the next name is made of another number. */
    private boolean make(SetAct.MakeRevision act, Document set) {
        Document revision = act.revision();
        StoreResult<Document> result = created(StoredKinds.CONTROLLER_REVISION, revision);
        if (result.failure().filter(Failure.ALREADY_EXISTS::equals).isEmpty()) {
            return result.value().isPresent();
        }
        boolean isSame = store.getDocument(StoredKinds.CONTROLLER_REVISION, keyOf(revision))
                .value()
                .filter(there -> there.at("data").equals(revision.at("data")))
                .filter(there -> OwnerReferences.has(there, set))
                .isPresent();
        return isSame || show(set.with(new SetSpec(set).collisionCount() + 1, "status", "collisionCount"));
    }

    private boolean make(SetAct.MakePod act, Document set) {
        String pod = Fields.name(act.pod());
        Optional<String> failure = act.obstacle();
        for (Document claim : failure.isPresent() ? List.<Document>of() : act.claims()) {
            Optional<String> problem = makeClaim(claim, pod, set);
            failure = failure.or(() -> problem);
        }
        if (failure.isPresent()) {
            tellPod(set, pod, "Create", failure);
            return false;
        }
        return created(Kinds.POD, act.pod())
                .match(
                        ok -> {
                            tellPod(set, pod, "Create", Optional.empty());
                            return true;
                        },
                        failed -> {
                            if (failed.reason() != Failure.ALREADY_EXISTS) {
                                tellPod(set, pod, "Create", Optional.of(failed.message()));
                            }
                            return false;
                        });
    }

    /** Why it failed; empty if the claim is there now. */
    private Optional<String> makeClaim(Document claim, String pod, Document set) {
        String name = Fields.name(claim);
        return created(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                .match(
                        ok -> {
                            tell(
                                    set,
                                    false,
                                    "SuccessfulCreate",
                                    "create Claim " + name + " Pod " + pod + " in StatefulSet " + Fields.name(set)
                                            + " success");
                            return Optional.empty();
                        },
                        failed -> {
                            if (failed.reason() != Failure.ALREADY_EXISTS) {
                                tell(
                                        set,
                                        true,
                                        "FailedCreate",
                                        "create Claim " + name + " for Pod " + pod + " in StatefulSet "
                                                + Fields.name(set) + " failed error: " + failed.message());
                            }
                            return Optional.of("failed to create PVC " + name + ": " + failed.message());
                        });
    }

    private boolean end(Document pod, Document set) {
        Optional<StoreResult.Failed<Document>> failure = deleted(Kinds.POD, pod);
        boolean wasThere =
                failure.filter(each -> each.reason() == Failure.CONFLICT).isEmpty();
        if (wasThere) {
            tellPod(set, Fields.name(pod), "Delete", failure.map(StoreResult.Failed::message));
        }
        return failure.isEmpty();
    }

    /** Why it failed; empty if the object is gone or going. */
    private Optional<StoreResult.Failed<Document>> deleted(Kind<?> kind, Document object) {
        return store.deleteObject(kind, keyOf(object), DeleteOptions.ofUid(Fields.uid(object)))
                .match(
                        ok -> {
                            if (Fields.isDeleting(ok)) {
                                known.put(kind, ok);
                            } else {
                                known.remove(kind, object);
                            }
                            return Optional.empty();
                        },
                        failed -> {
                            if (failed.reason() != Failure.NOT_FOUND) {
                                return Optional.of(new StoreResult.Failed<>(
                                        failed.reason(), failed.message(), failed.retryAfter()));
                            }
                            known.remove(kind, object);
                            return Optional.empty();
                        });
    }

    private static ObjectKey keyOf(Document object) {
        return ObjectKey.of(Fields.namespace(object), Fields.name(object));
    }

    private void tellPod(Document set, String pod, String verb, Optional<String> failure) {
        String message = verb.toLowerCase(Locale.ROOT) + " Pod " + pod + " in StatefulSet " + Fields.name(set);
        tell(
                set,
                failure.isPresent(),
                (failure.isPresent() ? "Failed" : "Successful") + verb,
                message + failure.map(why -> " failed error: " + why).orElse(" successful"));
    }

    private void tell(Document set, boolean warning, String reason, String message) {
        events.announce(new Announcement(
                StoredKinds.STATEFUL_SET, keyOf(set), Fields.uid(set), warning, reason, message, COMPONENT));
    }
}
