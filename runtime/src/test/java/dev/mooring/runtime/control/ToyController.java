// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A controller that does what a test tells it: one script per key; every object has a key. */
public class ToyController implements Controller {
    private final String name;
    private final List<Kind<?>> kinds;
    private final Map<ObjectKey, Script> scripts = new HashMap<>();
    private final List<Concern> concerns = new ArrayList<>();
    private final Map<ObjectKey, Rank> ranks = new HashMap<>();
    private Interest interest = Interest.ALL;
    /** The names of the keys decided, in their order. */
    public final List<String> decided = new ArrayList<>();

    public ToyController(String name) {
        this(name, List.of(Kinds.CONFIG_MAP));
    }

    public ToyController(String name, List<Kind<?>> kinds) {
        this.name = name;
        this.kinds = kinds;
    }

    /** What to decide about a key from now on. */
    public ToyController when(ObjectKey object, Script script) {
        scripts.put(object, script);
        return this;
    }

    /** What every key concerns from now on. */
    public ToyController concerning(Concern concern) {
        concerns.add(concern);
        return this;
    }

    @Override
    public List<Concern> concerns(Key key, Caches caches) {
        return List.copyOf(concerns);
    }

    /** Where a key stands. */
    public ToyController rank(ObjectKey object, Rank rank) {
        ranks.put(object, rank);
        return this;
    }

    /** The key of an object. */
    public static Key key(String object) {
        return new Key("toy", ObjectKey.of("ns", object));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Kind<?>> kinds() {
        return kinds;
    }

    /** What it follows of each kind from now on. */
    public ToyController following(Interest what) {
        interest = what;
        return this;
    }

    @Override
    public Interest interest(Kind<?> kind) {
        return interest;
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        Key key = new Key("toy", change.key());
        if (change.origin() == ObjectChange.Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        decided.add(key.object().name());
        Script script = scripts.get(key.object());
        return script == null ? Decision.nothing() : script.decide(situation, state);
    }

    @Override
    public Rank rank(Key key) {
        return ranks.getOrDefault(key.object(), Rank.NORMAL);
    }

    /** What to decide. */
    public interface Script {
        Decision decide(Situation situation, Optional<KeyState> state);
    }
}
