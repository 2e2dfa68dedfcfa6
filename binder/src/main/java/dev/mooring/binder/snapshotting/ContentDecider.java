// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.binder.calls.DeleteSnapshotCall;
import dev.mooring.binder.calls.FindSnapshotCall;
import dev.mooring.binder.calls.SnapshotCall;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.SnapshotPolicy;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentStatus;
import dev.mooring.storage.model.VolumeSnapshotError;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A VolumeSnapshotContent: the plugin makes its snapshot, is asked until that is ready, and destroys it in the end. The mark {@link
 * SnapshotMarks#BEING_CREATED} stands on the content before the plugin is asked for the first time, until the handle stands there or every
 * call was surely refused: so a content that goes in between still has its snapshot destroyed, for which it is made for certain first. A
 * refusal after an answer that was lost proves nothing of that call, so the content stays then.
 */
final class ContentDecider {
    private static final String PROTECT = "protect-snapshot-content";
    private static final String MARK = "mark-snapshot-created";
    private static final String UNMARK = "unmark-snapshot-created";
    private static final String CREATE = "create-snapshot";
    private static final String FIND = "find-snapshot";
    private static final String DELETE = "delete-snapshot";
    private static final String SHOW = "show-snapshot-content";
    private static final String RELEASE = "release-snapshot-content";
    private static final String LOOK = "find-owner-of-snapshot-content";
    private static final String DELETE_FAILED = "SnapshotDeleteError";
    private static final String GIVE_UP = "delete-orphaned-snapshot-content";

    private final VolumeSnapshotContent content;
    private final PluginRegistry plugins;
    private final SnapshotNotes notes;
    private final Situation situation;

    ContentDecider(VolumeSnapshotContent content, PluginRegistry plugins, SnapshotNotes notes, Situation situation) {
        this.content = content;
        this.plugins = plugins;
        this.notes = afterResults(notes, situation);
        this.situation = situation;
    }

    private static SnapshotNotes afterResults(SnapshotNotes notes, Situation situation) {
        boolean marked =
                situation.resultOf(MARK).filter(EffectResult::succeeded).isPresent();
        SnapshotNotes before = marked ? notes.with(SnapshotNotes.Asking.MARKED) : notes;
        return situation
                .resultOf(CREATE)
                .flatMap(EffectResult::outcome)
                .<SnapshotNotes>map(before::afterAnswer)
                .orElse(before);
    }

    Decision decide() {
        Optional<PluginName> plugin = plugins.named(content.spec().driver())
                .filter(found -> found.capability(Snapshotting.class).isPresent())
                .map(found -> found.describe().name());
        if (plugin.isEmpty()) {
            return waiting("no plugin \"" + content.spec().driver() + "\" that makes snapshots is served here");
        }
        if (content.metadata().isDeleting()) {
            return end(plugin.get());
        }
        if (!content.metadata().hasFinalizer(Finalizers.SNAPSHOT_CONTENT)) {
            return update(PROTECT, content.metadata().withFinalizer(Finalizers.SNAPSHOT_CONTENT));
        }
        return content.spec()
                .source()
                .snapshotHandle()
                .map(handle -> find(plugin.get(), handle))
                .orElseGet(() -> make(plugin.get()));
    }

    private VolumeSnapshotContentStatus status() {
        return SnapshotMarks.statusOf(content);
    }

    private boolean isReady() {
        return status().readyToUse().orElse(false) && status().snapshotHandle().isPresent();
    }

    private boolean isBegun() {
        return content.metadata().annotation(SnapshotMarks.BEING_CREATED).isPresent();
    }

    // ---- making ----

    private Decision make(PluginName plugin) {
        Optional<Outcome<?>> answer = situation.resultOf(CREATE).flatMap(EffectResult::outcome);
        if (answer.isPresent()) {
            return made(answer.get().map(SnapshotFacts.class::cast));
        }
        boolean known = status().snapshotHandle().isPresent();
        if (isBegun() && (known || notes.asking() == SnapshotNotes.Asking.REFUSED)) {
            return update(UNMARK, content.metadata().withoutAnnotation(SnapshotMarks.BEING_CREATED));
        }
        if (isReady()) {
            return Decision.remember(notes);
        }
        Optional<Decision> orphan = unlessWanted();
        if (orphan.isPresent()) {
            return orphan.get();
        }
        return ask(plugin);
    }

    /** What to do if no snapshot is there for the content: it may have gone before the content was shown to it. Empty if one is. */
    private Optional<Decision> unlessWanted() {
        Optional<VolumeSnapshot> owner = owner();
        if (owner.isPresent()) {
            return Optional.empty();
        }
        if (!ownerHasGone()) {
            return Optional.of(
                    Decision.act(new Effect.Read<>(LOOK, Kinds.VOLUME_SNAPSHOT, SnapshotMarks.snapshotOf(content)))
                            .withState(notes));
        }
        return Optional.of(
                content.spec().deletionPolicy() == SnapshotPolicy.DELETE
                        ? Decision.act(new Effect.Delete<>(
                                GIVE_UP,
                                Kinds.VOLUME_SNAPSHOT_CONTENT,
                                ObjectKey.of(content),
                                DeleteOptions.ofUid(content.metadata().uid())))
                        : waiting("its VolumeSnapshot has gone, and its deletionPolicy is Retain"));
    }

    private Optional<VolumeSnapshot> owner() {
        return situation
                .caches()
                .get(Kinds.VOLUME_SNAPSHOT, SnapshotMarks.snapshotOf(content))
                .filter(found -> SnapshotMarks.isFor(content, found));
    }

    /** Whether a live read has just shown that there is no such snapshot, or another one of that name. */
    private boolean ownerHasGone() {
        return situation
                .resultOf(LOOK)
                .filter(read -> read.storeFailure().equals(Optional.of(Failure.NOT_FOUND)) || isAnother(read))
                .isPresent();
    }

    private boolean isAnother(EffectResult read) {
        return read.<Boolean>match(
                stored -> stored.result()
                        .value()
                        .filter(VolumeSnapshot.class::isInstance)
                        .map(VolumeSnapshot.class::cast)
                        .filter(found -> !SnapshotMarks.isFor(content, found))
                        .isPresent(),
                performed -> false);
    }

    private Decision ask(PluginName plugin) {
        Outcome<SnapshotCall> call = call(plugin);
        if (!call.isDone()) {
            return failed("Failed to create snapshot: " + call.message(), Decision.remember(notes));
        }
        Optional<Duration> wait = notes.wait(situation.now()).or(() -> situation.backoff(CREATE));
        if (wait.isPresent()) {
            return Decision.remember(notes).wakeAfter(wait.get());
        }
        return isBegun() || status().snapshotHandle().isPresent()
                ? create(plugin, call.result().orElseThrow())
                : update(MARK, content.metadata().withAnnotation(SnapshotMarks.BEING_CREATED, SnapshotMarks.YES));
    }

    private Decision create(PluginName plugin, SnapshotCall call) {
        return perform(CREATE, plugin, call).withState(notes.afterCall());
    }

    private Outcome<SnapshotCall> call(PluginName plugin) {
        Optional<VolumeSnapshot> owner = owner();
        if (owner.isEmpty()) {
            return Outcome.deferred("its VolumeSnapshot has gone");
        }
        SnapshotSource source = new SnapshotSource(owner.get(), plugins, situation.caches());
        return source.volume()
                .then(volume -> Optional.of(volume.handle())
                                .equals(content.spec().source().volumeHandle())
                        ? Outcome.done(volume)
                        : Outcome.deferred("the claim has another volume by now"))
                .then(volume ->
                        parameters().map(parameters -> new SnapshotCall(plugin, request(parameters), volume.spec())));
    }

    private Outcome<Map<String, String>> parameters() {
        String name = content.spec().volumeSnapshotClassName().orElse("");
        return situation
                .caches()
                .get(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(name))
                .map(VolumeSnapshotClass::parameters)
                .map(Outcome::done)
                .orElseGet(() ->
                        Outcome.deferred("volumesnapshotclass.snapshot.storage.k8s.io \"" + name + "\" not found"));
    }

    private SnapshotRequest request(Map<String, String> parameters) {
        return new SnapshotRequest(
                "snapshot-" + content.spec().volumeSnapshotRef().uid(),
                SnapshotMarks.snapshotOf(content),
                content.metadata().name(),
                parameters);
    }

    private Decision made(Outcome<SnapshotFacts> answer) {
        return answer.result()
                .map(this::known)
                .orElseGet(() -> failed(
                        "Failed to create snapshot: failed to take snapshot of the volume "
                                + content.spec().source().volumeHandle().orElse("") + ": \"" + answer.message() + "\"",
                        Decision.remember(notes).wakeAfter(untilNextCreate())));
    }

    /** None if the mark has to go first. */
    private Duration untilNextCreate() {
        return isBegun() && notes.asking() == SnapshotNotes.Asking.REFUSED
                ? Duration.ZERO
                : situation.backoff(CREATE).orElse(Defaults.BACKOFF_FIRST);
    }

    private Decision known(SnapshotFacts facts) {
        VolumeSnapshotContentStatus now = new VolumeSnapshotContentStatus(
                Optional.of(facts.handle()),
                facts.createdAt().map(ContentDecider::nanos),
                facts.bytes() > 0 ? Optional.of(facts.bytes()) : Optional.empty(),
                Optional.of(facts.ready()),
                Optional.empty());
        SnapshotNotes next = facts.ready() ? SnapshotNotes.NONE : notes.afterLook(situation.now());
        Decision decision =
                now.equals(status()) ? Decision.remember(next) : show(now).withState(next);
        return next.wait(situation.now()).map(decision::wakeAfter).orElse(decision);
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    // ---- a snapshot that others made ----

    private Decision find(PluginName plugin, String handle) {
        Optional<Outcome<?>> answer = situation.resultOf(FIND).flatMap(EffectResult::outcome);
        if (answer.isPresent()) {
            return found(handle, answer.get());
        }
        if (isReady()) {
            return Decision.remember(notes);
        }
        Optional<Duration> wait = notes.wait(situation.now()).or(() -> situation.backoff(FIND));
        return wait.isPresent()
                ? Decision.remember(notes).wakeAfter(wait.get())
                : perform(FIND, plugin, new FindSnapshotCall(plugin, ref(handle)));
    }

    private Decision found(String handle, Outcome<?> answer) {
        Optional<SnapshotFacts> facts = answer.result()
                .map(Optional.class::cast)
                .flatMap(found -> ((Optional<?>) found).map(SnapshotFacts.class::cast));
        SnapshotNotes next = notes.afterLook(situation.now());
        String why = answer.isDone() ? "no snapshot has the handle " + handle : answer.message();
        return facts.map(this::known)
                .orElseGet(() -> failed(
                        "Failed to check and update snapshot content: " + why,
                        Decision.remember(next)
                                .wakeAfter(next.wait(situation.now()).orElse(Defaults.BACKOFF_FIRST))));
    }

    private SnapshotRef ref(String handle) {
        return new SnapshotRef(
                content.metadata().name(), handle, content.metadata().annotations());
    }

    // ---- the end ----

    private Decision end(PluginName plugin) {
        if (!content.metadata().hasFinalizer(Finalizers.SNAPSHOT_CONTENT)) {
            return Decision.nothing();
        }
        boolean mayGo =
                content.metadata().annotation(SnapshotMarks.BEING_DELETED).isPresent()
                        || content.spec().volumeSnapshotRef().uid().isEmpty()
                        || (owner().isEmpty() && ownerHasGone());
        if (!mayGo && owner().isEmpty()) {
            return Decision.act(new Effect.Read<>(LOOK, Kinds.VOLUME_SNAPSHOT, SnapshotMarks.snapshotOf(content)))
                    .withState(notes);
        }
        if (!mayGo) {
            return waiting(
                    "the content stays until its VolumeSnapshot " + SnapshotMarks.snapshotOf(content) + " is deleted");
        }
        if (content.spec().deletionPolicy() != SnapshotPolicy.DELETE) {
            return release();
        }
        Optional<String> handle =
                status().snapshotHandle().or(() -> content.spec().source().snapshotHandle());
        return handle.map(known -> destroy(plugin, known))
                .orElseGet(() -> isBegun() && !notes.isSurelyNone() ? makeForCertain(plugin) : release());
    }

    private Decision release() {
        return update(RELEASE, content.metadata().withoutFinalizer(Finalizers.SNAPSHOT_CONTENT));
    }

    private Decision destroy(PluginName plugin, String handle) {
        Optional<Outcome<?>> answer = situation.resultOf(DELETE).flatMap(EffectResult::outcome);
        if (answer.filter(Outcome::isDone).isPresent()) {
            return release();
        }
        Optional<Duration> wait = situation.backoff(DELETE);
        if (answer.isPresent()) {
            return failed(
                    DELETE_FAILED,
                    "Failed to delete snapshot: " + answer.get().message(),
                    Decision.remember(notes).wakeAfter(wait.orElse(Defaults.BACKOFF_FIRST)));
        }
        return wait.isPresent()
                ? Decision.remember(notes).wakeAfter(wait.get())
                : perform(DELETE, plugin, new DeleteSnapshotCall(plugin, ref(handle)));
    }

    /** It is unknown whether there is a snapshot: made once more it is the same, and has a handle by which it can be destroyed. */
    private Decision makeForCertain(PluginName plugin) {
        Optional<Outcome<?>> answer = situation.resultOf(CREATE).flatMap(EffectResult::outcome);
        if (answer.isPresent()) {
            return answer.get().isDone()
                    ? made(answer.get().map(SnapshotFacts.class::cast))
                    : inDoubt(answer.get().message(), Decision.remember(notes).wakeAfter(untilNextCreate()));
        }
        Outcome<SnapshotCall> call = call(plugin);
        if (!call.isDone()) {
            return owner().isPresent()
                    ? inDoubt(call.message(), Decision.remember(notes))
                    : failed(DELETE_FAILED, unknown(call.message()) + "Please delete manually.", release());
        }
        Optional<Duration> wait = situation.backoff(CREATE);
        return wait.isPresent()
                ? Decision.remember(notes).wakeAfter(wait.get())
                : create(plugin, call.result().orElseThrow());
    }

    private String unknown(String why) {
        return "It is unknown whether a snapshot was made for "
                + content.metadata().name() + ": " + why + ". ";
    }

    private Decision inDoubt(String why, Decision next) {
        return failed(
                DELETE_FAILED,
                unknown(why) + "The content stays until the driver has made it once more, so that it can be deleted. If"
                        + " there is none, remove the finalizer " + Finalizers.SNAPSHOT_CONTENT,
                next);
    }

    // ---- effects ----

    private Decision perform(String operation, PluginName plugin, Call call) {
        return Decision.act(new Effect.Perform(
                        operation,
                        call,
                        Optional.of(
                                new Target(plugin.value(), content.metadata().name())),
                        Defaults.RECLAIM_TIME_LIMIT))
                .withState(notes);
    }

    private Decision waiting(String what) {
        return Decision.remember(notes)
                .concerning(Concern.of(
                        Kinds.VOLUME_SNAPSHOT_CONTENT, content, "SnapshotContentWaits", SnapshotDecider.COMPONENT))
                .waitingFor(what);
    }

    private Decision failed(String message, Decision next) {
        return failed("SnapshotCreationFailed", message, next);
    }

    /** The error stands on the content, from where it is shown on the snapshot, and an event says it once. */
    private Decision failed(String reason, String message, Decision next) {
        Optional<VolumeSnapshotError> error = Optional.of(
                new VolumeSnapshotError(Optional.of(whole(situation.now().wall())), Optional.of(message)));
        Decision shown = SnapshotMarks.says(status().error(), message)
                        || !next.effects().isEmpty()
                ? next
                : next.and(showing(status().withReadyToUse(Optional.of(false)).withError(error)));
        boolean told = message.equals(notes.told());
        Decision noted = next.effects().isEmpty() ? shown.withState(notes.telling(message)) : shown;
        return told
                ? noted
                : noted.and(Announcement.warning(
                        Kinds.VOLUME_SNAPSHOT_CONTENT, content, reason, message, SnapshotDecider.COMPONENT));
    }

    private static Instant whole(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond());
    }

    private Decision show(VolumeSnapshotContentStatus now) {
        return Decision.act(showing(now));
    }

    private Effect showing(VolumeSnapshotContentStatus now) {
        return new Effect.UpdateStatus<>(
                SHOW, Kinds.VOLUME_SNAPSHOT_CONTENT, new Change<>(content, content.withStatus(Optional.of(now))));
    }

    private Decision update(String operation, ObjectMeta metadata) {
        return Decision.act(new Effect.Update<>(
                        operation,
                        Kinds.VOLUME_SNAPSHOT_CONTENT,
                        new Change<>(content, content.withMetadata(metadata))))
                .withState(notes);
    }
}
