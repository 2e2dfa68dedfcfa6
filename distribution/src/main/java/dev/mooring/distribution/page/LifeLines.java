// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.distribution.page.LifeEntry.Source;
import dev.mooring.distribution.page.LifeStore.Subject;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * What happened to each object: how it changed, what Mooring decided about it and by which rule, and what its events say. Kept in this
 * process within {@value #ROOM} bytes, and lost with it. Several loops may tell it at once. Thread-safe.
 */
public final class LifeLines implements LoopListener {
    static final long ROOM = 8L << 20;

    private static final Map<Kind<?>, PageKind> KINDS = Map.of(
            Kinds.PERSISTENT_VOLUME_CLAIM,
            PageKind.CLAIMS,
            Kinds.PERSISTENT_VOLUME,
            PageKind.VOLUMES,
            Kinds.VOLUME_ATTACHMENT,
            PageKind.ATTACHMENTS,
            Kinds.POD,
            PageKind.PODS,
            Kinds.NODE,
            PageKind.NODES);
    private static final Map<String, PageKind> KEYS =
            Map.of("claim", PageKind.CLAIMS, "volume", PageKind.VOLUMES, "pod", PageKind.PODS);

    private final AtomicLong changes = new AtomicLong();
    private final LifeStore store = new LifeStore(ROOM);
    private final InstantSource clock;
    private final Instant begun;

    /**
     * Knows nothing yet.
     *
     * @param clock when things happen
     */
    public LifeLines(InstantSource clock) {
        this.clock = clock;
        this.begun = clock.instant();
    }

    /** Grows with everything that is heard of. */
    public long changes() {
        return changes.get();
    }

    /** What happened before that is not known. */
    Instant begun() {
        return begun;
    }

    /** What happened to an object, the newest first. */
    List<LifeEntry> of(PageKind kind, ObjectKey key) {
        return store.of(new Subject(kind, key));
    }

    /** The texts of the events that this process knows, in lower case. */
    Map<Subject, String> eventTexts() {
        return store.texts(Source.EVENT);
    }

    private void note(Optional<Subject> subject, Source source, String text) {
        subject.ifPresent(each -> store.add(each, new LifeEntry(clock.instant(), source, text)));
    }

    private static Optional<Subject> subject(Kind<?> kind, ObjectKey key) {
        return Optional.ofNullable(KINDS.get(kind)).map(known -> new Subject(known, key));
    }

    private static Optional<Subject> subject(Key key) {
        return Optional.ofNullable(KEYS.get(key.type())).map(known -> new Subject(known, key.object()));
    }

    @Override
    public void onLead(long epoch) {
        changes.incrementAndGet();
    }

    @Override
    public void onChange(ObjectChange<?> change) {
        changes.incrementAndGet();
        // What is shown by the first list has not happened now.
        if (change.before().isPresent() && KINDS.containsKey(change.kind())) {
            Optional<Subject> subject = subject(change.kind(), change.key());
            LifeChanges.between(change.before().get(), change.after())
                    .forEach(text -> note(subject, Source.CHANGE, text));
        }
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        List<Effect> deeds = decision.effects().stream()
                .filter(effect -> effect instanceof Effect.Write || effect instanceof Effect.Perform)
                .toList();
        Optional<String> ground = decision.state().flatMap(KeyState::ground);
        if (deeds.isEmpty()) {
            Optional<String> why = decision.waitsFor().or(() -> ground);
            why.ifPresent(text -> note(
                    subject(key),
                    Source.DECISION,
                    controller + " waits: " + text
                            + ground.filter(each -> !each.equals(text))
                                    .map(each -> "; " + each)
                                    .orElse("")));
            return;
        }
        Set<Subject> subjects = new LinkedHashSet<>();
        subject(key).ifPresent(subjects::add);
        deeds.forEach(effect -> written(effect).ifPresent(subjects::add));
        String text = controller + ": "
                + deeds.stream().map(LifeLines::deed).collect(Collectors.joining(", "))
                + ground.map(each -> ", since " + each).orElse("");
        subjects.forEach(subject -> note(Optional.of(subject), Source.DECISION, text));
    }

    private static Optional<Subject> written(Effect effect) {
        return effect instanceof Effect.Write write ? subject(write.kind(), write.object()) : Optional.empty();
    }

    /** Operations have names that can be read as a sentence. */
    private static String deed(Effect effect) {
        String verb = effect.operation().replace('-', ' ');
        return effect instanceof Effect.Write write
                ? verb + " (" + write.kind().name() + " " + write.object() + ")"
                : verb;
    }

    @Override
    public void onEffect(Dispatch dispatch) {
        if (dispatch.effect() instanceof Effect.Announce announce) {
            changes.incrementAndGet();
            Announcement news = announce.announcement();
            note(
                    subject(news.kind(), news.object()),
                    Source.EVENT,
                    news.reason() + " (" + news.component() + "): " + news.message());
        }
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        changes.incrementAndGet();
        if (!result.succeeded()) {
            String why = result.storeFailure()
                    .map(failure -> failure.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .orElseGet(result::message);
            note(
                    subject(dispatch.key()).or(() -> written(dispatch.effect())),
                    Source.FAILURE,
                    dispatch.controller() + ": " + deed(dispatch.effect()) + " failed: " + why);
        }
    }
}
