// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is told of an operation of an attachment that has just failed. */
final class Failures {
    private final AttachmentSituation it;

    Failures(AttachmentSituation subject) {
        this.it = subject;
    }

    /** Tells of a call that has just failed; what comes next is decided when that is written. */
    Optional<Decision> answer() {
        Optional<EffectResult> create =
                failed(AttachmentOperations.CREATE).filter(result -> it.known().isEmpty());
        if (create.isPresent()
                && !it.wants().isEmpty()
                && it.situation().backoff(AttachmentOperations.CREATE).isPresent()) {
            return Optional.of(
                    failedToAttach(AttachmentOperations.CREATE, create.get().message(), Decision.nothing()));
        } else if (it.known().isEmpty()) {
            return Optional.empty();
        }
        return failed(AttachmentOperations.ATTACH)
                .or(() -> failed(AttachmentOperations.UNFENCE))
                .filter(result -> !it.wants().isEmpty())
                .map(result -> attachFailed(
                        result.effect().operation(), result.outcome().orElseThrow()))
                .or(() -> failed(AttachmentOperations.DETACH)
                        .map(result -> detachFailed(result.outcome().orElseThrow())))
                .or(() -> failed(AttachmentOperations.FENCE).map(this::fenceFailed))
                .or(() -> failed(AttachmentOperations.COMPARE).map(this::compareFailed));
    }

    private Optional<EffectResult> failed(String operation) {
        return it.situation().resultOf(operation).filter(result -> !result.succeeded());
    }

    private Decision attachFailed(String operation, Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.attachFailed(
                it.object(), outcome, it.situation().now().wall());
        Decision write = show(shown);
        Dangling dangling = new Dangling(it.wants().get(0), it.obstacles().attachments());
        List<NodeRef> unknown = dangling.unknown(outcome);
        List<Effect> recorded = new ArrayList<>();
        unknown.forEach(there ->
                recorded.add(dangling.record(there, it.situation().caches().get(Kinds.NODE, Dangling.key(there)))));
        String why = unknown.isEmpty()
                ? outcome.message()
                : outcome.message() + "; it is detached first from "
                        + unknown.stream().map(there -> "node " + there.name()).collect(Collectors.joining(", "))
                        + " unless it is in use there";
        return failedToAttach(operation, why, write.and(recorded));
    }

    private Decision failedToAttach(String operation, String why, Decision write) {
        List<Effect> news = new ArrayList<>();
        it.wants()
                .forEach(want ->
                        news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, AttachEvents.failed(want, why))));
        return it.again(
                operation, write.and(news).withState(it.quiet().withoutAnswer().orForget()));
    }

    private Decision detachFailed(Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.detachFailed(
                it.object(), outcome, it.situation().now().wall());
        return it.again(
                AttachmentOperations.DETACH,
                show(shown)
                        .and(it.detachNews(outcome.message()))
                        .withState(it.quiet().orForget()));
    }

    private Decision show(VolumeAttachment shown) {
        return shown.equals(it.object())
                ? Decision.nothing()
                : it.status(AttachmentOperations.SHOW_ERROR, shown, it.state());
    }

    private Decision compareFailed(EffectResult result) {
        String why = AttachmentComparison.failed(
                it.existing().marks().volume(), it.existing().node(), result.message());
        return it.again(
                AttachmentOperations.COMPARE,
                AttachmentSituation.remember(it.state())
                        .and(AttachEvents.aboutAttachment(it.object(), AttachEvents.FAILED, why)));
    }

    private Decision fenceFailed(EffectResult result) {
        String why = "node " + it.existing().node() + " could not be cut off from volume \""
                + it.existing().marks().volume() + "\": " + result.message();
        Effect news = AttachEvents.aboutAttachment(it.object(), AttachEvents.FAILED_DETACH, why);
        return it.again(
                AttachmentOperations.FENCE,
                AttachmentSituation.remember(it.state()).and(news));
    }
}
