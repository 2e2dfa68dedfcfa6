// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.attachdetach.ForcedDetach;
import dev.mooring.binder.explain.RemedyAction;
import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.distribution.cluster.AttachmentForcing;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.distribution.cluster.VolumeRepairing;
import dev.mooring.distribution.page.PageActors.Actor;
import dev.mooring.distribution.page.PageActors.Refused;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What people do by the page. An act is judged as the command of its name judges it, and shown first. It is done only to the version of
 * the object that it was shown for, by one write, and an Event says who did it. Thread-safe.
 */
final class PageActs {
    private static final Logger LOG = LoggerFactory.getLogger(PageActs.class);
    private static final String COMPONENT = "mooring-page";
    private static final int LONGEST_EVIDENCE = 500;

    private final PageActors actors;
    private final InstantSource clock;

    PageActs(PageActors actors, InstantSource clock) {
        this.actors = actors;
        this.clock = clock;
    }

    /** What can be done. */
    private enum Act {
        REBIND("VolumeRebound"),
        DISCARD("VolumeDiscarded"),
        ADOPT("VolumeAdopted"),
        DETACH("ForceDetachAsked");

        private final String reason;

        Act(String reason) {
            this.reason = reason;
        }

        Kind<?> kind() {
            return this == DETACH ? Kinds.VOLUME_ATTACHMENT : Kinds.PERSISTENT_VOLUME;
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Act> of(String wireName) {
            return List.of(values()).stream()
                    .filter(each -> each.wireName().equals(wireName))
                    .findFirst();
        }
    }

    /** What is asked. */
    private record Asked(Act act, String name, Optional<ObjectKey> claim, String evidence, String uid, String version) {
        static Asked of(byte[] body) throws Refused {
            Document asked;
            try {
                asked = KubernetesJson.standard().read(new String(body, StandardCharsets.UTF_8), "the act");
            } catch (CodecException e) {
                throw new Refused(400, "the act cannot be read: " + e.getMessage());
            }
            Optional<Act> act = asked.text("act").flatMap(Act::of);
            String name = asked.text("name").orElse("");
            if (act.isEmpty() || name.isEmpty()) {
                throw new Refused(400, "act and name say what shall be done to what");
            }
            String claim = asked.text("claim").orElse("").strip();
            List<String> parts = List.of(claim.split("/", -1));
            if (!claim.isEmpty() && (parts.size() != 2 || parts.contains(""))) {
                throw new Refused(400, "claim must be NAMESPACE/NAME, not '" + claim + "'");
            }
            String evidence = asked.text("evidence").orElse("").strip();
            if (evidence.length() > LONGEST_EVIDENCE) {
                throw new Refused(400, "evidence must have at most " + LONGEST_EVIDENCE + " characters");
            }
            return new Asked(
                    act.get(),
                    name,
                    claim.isEmpty() ? Optional.empty() : Optional.of(ObjectKey.of(parts.get(0), parts.get(1))),
                    evidence,
                    asked.text("uid").orElse(""),
                    asked.text("version").orElse(""));
        }
    }

    // ---- which acts are offered ----

    /** What may be done to an object by this page; whether it really may be is judged when it is asked. */
    Map<String, Object> offered(PageRelations relations, PageRow row) {
        List<Act> acts = List.of();
        if (actors.whose() == PageActors.Whose.NONE) {
            acts = List.of();
        } else if (row.subject() instanceof PersistentVolume volume && isLeft(relations, volume)) {
            acts = volume.spec().claimRef().isPresent()
                    ? List.of(Act.REBIND, Act.ADOPT, Act.DISCARD)
                    : List.of(Act.ADOPT);
        } else if (row.subject() instanceof VolumeAttachment attachment
                && relations
                        .node(attachment.spec().nodeName())
                        .filter(Node::isReady)
                        .isEmpty()) {
            acts = List.of(Act.DETACH);
        }
        return Map.of(
                "acts",
                acts.stream().map(Act::wireName).toList(),
                "token",
                actors.whose().name().toLowerCase(Locale.ROOT));
    }

    private static boolean isLeft(PageRelations relations, PersistentVolume volume) {
        return volume.status().phase() != PersistentVolumePhase.BOUND
                || relations.claimOf(volume).isEmpty();
    }

    // ---- what is done ----

    /**
     * Shows what an act would do, or does it.
     *
     * @param token what they show who ask
     * @param address from where they ask
     * @param body what they ask
     * @param isDone whether to do it
     */
    PageAnswer answer(String token, String address, byte[] body, boolean isDone) {
        try {
            Asked asked = Asked.of(body);
            try (Actor actor = actors.enter(token, address, asked.act().kind(), ObjectKey.cluster(asked.name()))) {
                PlannedAct<?> plan = judged(asked, actor);
                return isDone ? done(asked, plan, actor) : PageAnswer.json(plan.shown());
            }
        } catch (Refused refused) {
            return PageAnswer.text(refused.status(), refused.getMessage() + "\n");
        } catch (LiveCluster.ClusterException e) {
            return PageAnswer.text(503, e.getMessage() + "\n");
        }
    }

    private PlannedAct<?> judged(Asked asked, Actor actor) throws Refused {
        String name = asked.name();
        return switch (asked.act()) {
            case REBIND -> volume(asked, actor, VolumeRepairs::rebind, new RemedyAction.Rebind(name));
            case DISCARD -> volume(asked, actor, VolumeRepairs::discard, new RemedyAction.Discard(name));
            case ADOPT ->
                volume(
                        asked,
                        actor,
                        repairs -> repairs.adopt(asked.claim()),
                        new RemedyAction.Adopt(
                                name,
                                asked.claim().orElse(ObjectKey.of("", "")),
                                asked.claim().isPresent()));
            case DETACH -> attachment(asked, actor);
        };
    }

    private PlannedAct<PersistentVolume> volume(
            Asked asked, Actor actor, Function<VolumeRepairs, Repair> act, RemedyAction same) throws Refused {
        Repair repair = new VolumeRepairing(actor.store(), clock)
                .judge(asked.name(), asked.claim(), act)
                .orElseThrow(() -> new Refused(404, "there is no volume " + asked.name()));
        return new PlannedAct<>(
                Kinds.PERSISTENT_VOLUME, repair.objections(), repair.change(), repair.consequences(), same.command());
    }

    private PlannedAct<VolumeAttachment> attachment(Asked asked, Actor actor) throws Refused {
        String word = asked.evidence().isEmpty() ? "" : actor.name() + ": " + asked.evidence();
        ForcedDetach forced = new AttachmentForcing(actor.store())
                .judge(asked.name(), word)
                .orElseThrow(() -> new Refused(404, "there is no VolumeAttachment " + asked.name()));
        Document patch = Document.of(Map.of("metadata", Map.of("annotations", Map.of(Annotations.FORCE_DETACH, word))));
        return new PlannedAct<>(
                Kinds.VOLUME_ATTACHMENT,
                forced.objections(),
                forced.change(),
                forced.consequences(),
                new RemedyAction.Patch(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(asked.name()), patch).command());
    }

    private <T extends KubernetesObject> PageAnswer done(Asked asked, PlannedAct<T> plan, Actor actor) {
        if (!plan.objections().isEmpty()) {
            return PageAnswer.text(409, String.join("; ", plan.objections()) + "\n");
        }
        if (!plan.isOf(asked.uid(), asked.version())) {
            return changed(asked);
        }
        return plan.write(actor.store())
                .match(written -> told(asked, plan, actor, written), failed -> failed(asked, failed));
    }

    private static PageAnswer changed(Asked asked) {
        return PageAnswer.text(
                409,
                asked.name()
                        + " has changed since this was shown; nothing was done. Look again at what would be done.\n");
    }

    private static PageAnswer failed(Asked asked, Failed<?> failed) {
        if (failed.reason() == Failure.CONFLICT) {
            return changed(asked);
        }
        return failed.reason() == Failure.UNKNOWN
                ? PageAnswer.text(504, "the answer was lost; look at " + asked.name() + ": " + failed.message() + "\n")
                : PageAnswer.text(
                        failed.reason() == Failure.FORBIDDEN ? 403 : 503,
                        "nothing was done: " + failed.message() + "\n");
    }

    private PageAnswer told(Asked asked, PlannedAct<?> plan, Actor actor, KubernetesObject written) {
        String text = actor.name() + " by the page: " + String.join("; ", plan.consequences());
        LOG.info("{} {}: {}", plan.kind().name(), asked.name(), text);
        actor.events()
                .announce(new Announcement(
                        plan.kind(),
                        ObjectKey.of(written),
                        written.metadata().uid(),
                        asked.act() == Act.DETACH,
                        asked.act().reason,
                        text,
                        COMPONENT));
        return PageAnswer.json(Document.of(Map.of("done", plan.consequences())));
    }
}
