// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of an object's life, and how it is told. */
class LifeLinesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final ObjectKey CART = ObjectKey.of("shop", "cart");
    private static final Key KEY = new Key("claim", CART);

    private final LifeLines lines = new LifeLines(InstantSource.fixed(NOW));

    private record Grounded(String text) implements KeyState {
        @Override
        public Optional<String> ground() {
            return Optional.of(text);
        }
    }

    private static PersistentVolumeClaim claim(ClaimPhase phase, String volume) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("shop", "cart").withUid("u"),
                PersistentVolumeClaimSpec.EMPTY.withVolumeName(volume),
                PersistentVolumeClaimStatus.EMPTY.withPhase(phase));
    }

    private void change(Optional<PersistentVolumeClaim> before, Optional<PersistentVolumeClaim> after) {
        lines.onChange(
                new ObjectChange<>(Kinds.PERSISTENT_VOLUME_CLAIM, CART, before, after, ObjectChange.Origin.WATCH));
    }

    private List<String> told() {
        return lines.of(PageKind.CLAIMS, CART).stream().map(LifeEntry::text).toList();
    }

    private static Effect write() {
        return new Effect.Update<>(
                "name-volume",
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(claim(ClaimPhase.PENDING, ""), claim(ClaimPhase.PENDING, "disk")));
    }

    @Test
    void changesAreToldTheNewestFirst() {
        PersistentVolumeClaim made = claim(ClaimPhase.PENDING, "");
        PersistentVolumeClaim bound = claim(ClaimPhase.BOUND, "disk");
        change(Optional.empty(), Optional.of(made)); // a list shows it, which is no news
        change(Optional.of(made), Optional.of(bound));
        change(Optional.of(bound), Optional.empty());
        assertThat(told()).containsExactly("is gone", "volume: disk", "state: Pending → Bound");
    }

    @Test
    void aDecisionHasItsRuleInWords() {
        lines.onDecision("binder", KEY, Decision.act(write()).withState(new Grounded("a volume fits (U4)")));
        lines.onDecision("binder", KEY, Decision.remember(new Grounded("the claim has no class (U8)")));
        lines.onDecision("binder", KEY, Decision.remember(new Grounded("the claim has no class (U8)")));
        lines.onDecision("binder", KEY, Decision.nothing());
        assertThat(told())
                .containsExactly(
                        "binder waits: the claim has no class (U8)",
                        "binder: name volume (PersistentVolumeClaim shop/cart), since a volume fits (U4)");
        assertThat(lines.of(PageKind.CLAIMS, CART).get(0).count()).isEqualTo(2);
    }

    @Test
    void eventsAndFailuresAreToldToo() {
        Effect event = Announcement.warning(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim(ClaimPhase.PENDING, ""),
                "FailedBinding",
                "no persistent volumes available",
                "persistentvolume-controller");
        lines.onEffect(new Dispatch(1, "binder", KEY, event, 1, "", List.of(), 1));
        Effect write = write();
        lines.onResult(
                new Dispatch(2, "binder", KEY, write, 1, "", List.of(), 1),
                new EffectResult.Stored(write, StoreResult.failed(StoreResult.Failure.CONFLICT, "changed")));
        assertThat(told())
                .containsExactly(
                        "binder: name volume (PersistentVolumeClaim shop/cart) failed: conflict",
                        "FailedBinding (persistentvolume-controller): no persistent volumes available");
    }

    @Test
    void whatIsHeardOfCountsAsAChange() {
        long before = lines.changes();
        change(Optional.empty(), Optional.of(claim(ClaimPhase.PENDING, "")));
        assertThat(lines.changes()).isGreaterThan(before);
    }

    @Test
    void twoLoopsThatSeeOneChangeTellItOnce() {
        LifeStore store = new LifeStore(1_000_000);
        Subject subject = new Subject(PageKind.CLAIMS, CART);
        for (int loop = 0; loop < 2; loop++) {
            store.add(subject, new LifeEntry(NOW.plusMillis(loop), Source.CHANGE, "state: Pending → Bound"));
            store.add(subject, new LifeEntry(NOW.plusMillis(loop), Source.CHANGE, "volume: disk"));
        }
        assertThat(store.of(subject)).hasSize(2);
    }

    @Test
    void itTakesNoMoreRoomThanItMayAndForgetsWhatIsSilentForTheLongest() {
        long room = 1L << 20;
        LifeStore store = new LifeStore(room);
        Subject busy = new Subject(PageKind.VOLUMES, ObjectKey.cluster("busy"));
        for (int number = 0; number < 100_000; number++) {
            Subject subject = new Subject(PageKind.VOLUMES, ObjectKey.cluster("volume-" + number));
            store.add(subject, new LifeEntry(NOW.plusSeconds(number), Source.DECISION, "x".repeat(100)));
            store.add(busy, new LifeEntry(NOW.plusSeconds(number), Source.DECISION, "again " + number));
            assertThat(store.taken()).isLessThanOrEqualTo(room);
        }
        assertThat(store.of(new Subject(PageKind.VOLUMES, ObjectKey.cluster("volume-0"))))
                .isEmpty();
        assertThat(store.of(new Subject(PageKind.VOLUMES, ObjectKey.cluster("volume-99999"))))
                .hasSize(1);
        assertThat(store.of(busy)).hasSize(60);
        assertThat(store.of(busy).get(0).text()).isEqualTo("again 99999");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(new LifeEntry(NOW, Source.EVENT, "x".repeat(5_000)).text()).hasSizeLessThan(700);
        assertThat(LifeLines.ROOM).isLessThanOrEqualTo(16L << 20);
    }
}
