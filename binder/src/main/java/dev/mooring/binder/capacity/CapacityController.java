// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.capacity;

import dev.mooring.binder.CapacityRole;
import dev.mooring.binder.calls.CapacityCall;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.CapacityReporting.FreeSpace;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells schedulers how much storage drivers have left, in place of external-provisioner (semantics/csi §12): one CSIStorageCapacity for each
 * class that waits for pods and each part of the cluster that the driver tells apart. Only for drivers whose CSIDriver says
 * {@code storageCapacity}: of others no scheduler reads it. It is asked for every minute, and when a volume of the driver has come or gone.
 * What is told stays as it is while the driver does not answer.
 */
public final class CapacityController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "storage-capacity";

    /** How long after one question the next one is put at least, however many volumes come and go. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    /** When it is looked again whether a driver, or the API server, has learnt it. */
    static final Duration UNABLE = Duration.ofMinutes(10);

    private static final String TYPE = "storage-capacity";
    private static final String ASK = "get-capacity";
    private static final String WRITE = "write-capacity";
    private static final int LAST = 400;

    private final PluginRegistry plugins;
    private final CapacityRole role;
    private final DriverPlaces places = new DriverPlaces();
    private final Map<String, StorageClass> classes = new TreeMap<>();
    private final Map<String, Set<Key>> keysByDriver = new TreeMap<>();
    private final Map<Key, CapacityPool> pools = new TreeMap<>();
    private final Set<Key> hurried = new HashSet<>();

    /**
     * Makes the controller.
     *
     * @param plugins the plugins of this process
     * @param role where and by which name it tells
     */
    public CapacityController(PluginRegistry plugins, CapacityRole role) {
        this.plugins = plugins;
        this.role = role;
    }

    /**
     * What is known of a pool.
     *
     * @param askedNanos when it was asked for
     * @param dueNanos when it is asked for again
     * @param unwritten the answer that has not been written yet; empty if there is none
     * @param told the failure of which people know; empty for none
     */
    private record Pooled(long askedNanos, long dueNanos, Optional<FreeSpace> unwritten, String told)
            implements KeyState {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(
                Kinds.CSI_DRIVER,
                Kinds.CSI_NODE,
                Kinds.CSI_STORAGE_CAPACITY,
                Kinds.NODE,
                Kinds.PERSISTENT_VOLUME,
                Kinds.STORAGE_CLASS);
    }

    /** Claims and volumes come first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(LAST);
    }

    // ---- what concerns what ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.CSI_STORAGE_CAPACITY)) {
            mailbox.recheck(new Key(TYPE, change.key()));
        } else if (change.concerns(Kinds.NODE)) {
            ObjectChange<Node> node = change.as(Kinds.NODE);
            Optional<Map<String, String>> labels =
                    node.after().map(found -> found.metadata().labels());
            if (!labels.equals(node.before().map(found -> found.metadata().labels()))) {
                arrange(places.learnLabels(change.key().name(), labels), mailbox);
            }
        } else if (change.concerns(Kinds.CSI_NODE)) {
            ObjectChange<CSINode> node = change.as(Kinds.CSI_NODE);
            arrange(
                    places.learnDrivers(
                            change.key().name(),
                            node.after().map(found -> found.spec().drivers()).orElse(List.of())),
                    mailbox);
        } else if (change.concerns(Kinds.STORAGE_CLASS)) {
            observeClass(change.as(Kinds.STORAGE_CLASS), mailbox);
        } else if (change.concerns(Kinds.CSI_DRIVER)) {
            ownKeys(change.key().name()).forEach(mailbox::inputChanged);
        } else {
            observeVolume(change.as(Kinds.PERSISTENT_VOLUME), mailbox);
        }
    }

    private void observeClass(ObjectChange<StorageClass> change, Mailbox mailbox) {
        Set<String> drivers = new HashSet<>();
        change.before().map(StorageClass::provisioner).ifPresent(drivers::add);
        change.after().map(StorageClass::provisioner).ifPresent(drivers::add);
        change.after()
                .ifPresentOrElse(
                        found -> classes.put(change.key().name(), found),
                        () -> classes.remove(change.key().name()));
        arrange(drivers, mailbox);
    }

    /** What is left is another amount once a volume has come or gone. */
    private void observeVolume(ObjectChange<PersistentVolume> change, Mailbox mailbox) {
        if (change.before().isPresent() == change.after().isPresent()) {
            return;
        }
        change.latest()
                .spec()
                .source()
                .flatMap(CsiSource::of)
                .map(csi -> ownKeys(csi.driver()))
                .ifPresent(keys -> {
                    hurried.addAll(keys);
                    keys.forEach(mailbox::recheck);
                });
    }

    private Set<Key> ownKeys(String driver) {
        return keysByDriver.getOrDefault(driver, Set.of());
    }

    private void arrange(Set<String> drivers, Mailbox mailbox) {
        for (String driver : drivers) {
            if (isServed(driver)) {
                arrange(driver, mailbox);
            }
        }
    }

    private boolean isServed(String driver) {
        return plugins.all().stream()
                .anyMatch(plugin -> plugin.describe().name().value().equals(driver)
                        && plugin.capability(CapacityReporting.class).isPresent());
    }

    private Set<Map<String, String>> told(String driver) {
        Set<Map<String, String>> all = new HashSet<>(places.of(driver));
        role.place().ifPresent(own -> all.retainAll(Set.of(own)));
        return all;
    }

    private void arrange(String driver, Mailbox mailbox) {
        Set<Key> keys = new HashSet<>();
        for (StorageClass found : classes.values()) {
            boolean waits = found.provisioner().equals(driver)
                    && (role.immediate()
                            || found.volumeBindingMode()
                                    .filter(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER::equals)
                                    .isPresent());
            for (Map<String, String> place : waits ? told(driver) : Set.<Map<String, String>>of()) {
                CapacityPool pool = new CapacityPool(driver, found.metadata().name(), place);
                Key key = new Key(TYPE, pool.key(role));
                pools.put(key, pool);
                keys.add(key);
            }
        }
        for (Key former : ownKeys(driver)) {
            if (!keys.contains(former)) {
                pools.remove(former);
                hurried.remove(former);
                mailbox.inputChanged(former);
            }
        }
        keysByDriver.put(driver, keys);
        keys.forEach(mailbox::recheck);
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<CSIStorageCapacity> there = situation.caches().get(Kinds.CSI_STORAGE_CAPACITY, key.object());
        Optional<CapacityPool> pool = Optional.ofNullable(pools.get(key));
        Optional<CSIDriver> driver = pool.flatMap(
                        found -> situation.caches().get(Kinds.CSI_DRIVER, ObjectKey.cluster(found.driver())))
                .filter(found -> found.spec().storageCapacity().orElse(false));
        if (driver.isEmpty()) {
            return withdraw(there, situation);
        }
        long now = situation.now().monotonicNanos();
        Pooled known =
                learn(state.map(Pooled.class::cast).orElse(new Pooled(now, now, Optional.empty(), "")), situation);
        List<Effect> news = news(known, driver.get(), situation);
        Pooled told = news.isEmpty() ? known : toldOf(known, situation);
        if (told.unwritten().isPresent()) {
            Optional<Effect> write =
                    write(pool.get(), driver.get(), there, told.unwritten().get());
            return write.isPresent()
                    ? held(told, write.get(), situation).and(news)
                    : rest(new Pooled(told.askedNanos(), told.dueNanos(), Optional.empty(), told.told()), key, now)
                            .and(news);
        }
        if (due(told, key) > now) {
            return rest(told, key, now).and(news);
        }
        return held(told, ask(pool.get()), situation).and(news);
    }

    private Decision withdraw(Optional<CSIStorageCapacity> there, Situation situation) {
        return there.filter(found -> CapacityPool.isOf(role, found) && mayWithdraw(found))
                .<Decision>map(found -> {
                    Optional<Duration> wait = situation.backoff(WRITE);
                    return wait.isPresent()
                            ? Decision.nothing().wakeAfter(wait.get())
                            : Decision.act(new Effect.Delete<>(
                                    WRITE,
                                    Kinds.CSI_STORAGE_CAPACITY,
                                    ObjectKey.of(found),
                                    DeleteOptions.ofUid(found.metadata().uid())));
                })
                .orElse(Decision.nothing());
    }

    /** Where many processes share a manager's name, only objects of a driver of this process. */
    private boolean mayWithdraw(CSIStorageCapacity found) {
        return role.equals(CapacityRole.DEFAULT)
                || (isServed(CapacityPool.driverOf(found))
                        && role.place()
                                .filter(own -> !found.nodeTopology()
                                        .map(LabelSelector::matchLabels)
                                        .orElse(Map.of())
                                        .equals(own))
                                .isEmpty());
    }

    private long due(Pooled known, Key key) {
        return hurried.contains(key)
                ? Math.min(known.dueNanos(), known.askedNanos() + SHORTEST.toNanos())
                : known.dueNanos();
    }

    private Decision rest(Pooled known, Key key, long now) {
        return Decision.remember(known).wakeAfter(Duration.ofNanos(Math.max(1, due(known, key) - now)));
    }

    /** An answer is due for writing; a driver or a server that cannot do it is asked again much later. */
    private Pooled learn(Pooled known, Situation situation) {
        long now = situation.now().monotonicNanos();
        Optional<EffectResult> asked = situation.resultOf(ASK);
        Optional<FreeSpace> space = asked.flatMap(EffectResult::outcome)
                .flatMap(outcome -> outcome.result())
                .map(FreeSpace.class::cast);
        if (space.isPresent()) {
            return new Pooled(now, situation.now().monotonicNanosAfter(role.interval()), space, "");
        }
        boolean unable = asked.flatMap(EffectResult::outcome)
                        .filter(outcome -> outcome.isRefused(Refusal.UNSUPPORTED))
                        .isPresent()
                || situation
                        .resultOf(WRITE)
                        .filter(CapacityController::isUnknownKind)
                        .isPresent();
        return unable
                ? new Pooled(now, situation.now().monotonicNanosAfter(UNABLE), Optional.empty(), known.told())
                : known;
    }

    /** A server that does not have the kind; where an Update finds nothing, another program has deleted the object. */
    private static boolean isUnknownKind(EffectResult written) {
        return written.effect() instanceof Effect.Create<?>
                && written.storeFailure().filter(Failure.NOT_FOUND::equals).isPresent();
    }

    private Optional<Effect> write(
            CapacityPool pool, CSIDriver driver, Optional<CSIStorageCapacity> there, FreeSpace space) {
        if (there.isEmpty()) {
            return Optional.of(new Effect.Create<>(WRITE, Kinds.CSI_STORAGE_CAPACITY, pool.fresh(role, driver, space)));
        }
        CSIStorageCapacity edited = CapacityPool.with(there.get(), space);
        return edited.equals(there.get())
                ? Optional.empty()
                : Optional.of(
                        new Effect.Update<>(WRITE, Kinds.CSI_STORAGE_CAPACITY, new Change<>(there.get(), edited)));
    }

    /** One question at a time for each driver. */
    private Effect ask(CapacityPool pool) {
        CapacityCall call = new CapacityCall(
                new PluginName(pool.driver()),
                pool.className(),
                Optional.ofNullable(classes.get(pool.className()))
                        .map(StorageClass::parameters)
                        .orElse(Map.of()),
                pool.place());
        return new Effect.Perform(ASK, call, Optional.of(new Target(NAME, pool.driver())), Defaults.MOUNT_TIME_LIMIT);
    }

    private static Decision held(Pooled known, Effect effect, Situation situation) {
        Optional<Duration> wait = situation.backoff(effect.operation());
        return wait.isPresent()
                ? Decision.remember(known).wakeAfter(wait.get())
                : Decision.act(effect).withState(known);
    }

    // ---- what people are told ----

    private static Optional<String> failure(Situation situation) {
        return situation.results().stream()
                .filter(result -> !result.succeeded()
                        && result.storeFailure()
                                .filter(Failure.CONFLICT::equals)
                                .isEmpty())
                .map(EffectResult::message)
                .findFirst();
    }

    private static Pooled toldOf(Pooled known, Situation situation) {
        return new Pooled(
                known.askedNanos(),
                known.dueNanos(),
                known.unwritten(),
                failure(situation).orElse(""));
    }

    private static List<Effect> news(Pooled known, CSIDriver driver, Situation situation) {
        return failure(situation)
                .filter(message -> !message.equals(known.told()))
                .map(message -> List.of(
                        Announcement.warning(Kinds.CSI_DRIVER, driver, "StorageCapacityUnknown", message, NAME)))
                .orElse(List.of());
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        boolean answered = before.isPresent() && !due(before).equals(due(after));
        if (answered || after.isEmpty()) {
            hurried.remove(key);
        }
    }

    /** Only an answer moves it, be it that the driver cannot tell. */
    private static Optional<Long> due(Optional<KeyState> state) {
        return state.map(known -> ((Pooled) known).dueNanos());
    }
}
