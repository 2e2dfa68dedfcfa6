// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.simulation.virtual.Fences;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** A control plane with a planted bug. */
record MutantPlane(SimulatedControlPlane real, Mutant mutant) implements SimulatedControlPlane {
    @Override
    public List<Controller> controllers() {
        return real.controllers().stream()
                .map(each -> !mutant.inAgents() && mutant.controllers.test(each.name())
                        ? new MutantController(each, mutant)
                        : each)
                .toList();
    }

    @Override
    public Optional<Agent> agent(NodeRef node) {
        return real.agent(node).map(agent -> mutant.inAgents() ? new MutantAgent(real, node, agent, mutant) : agent);
    }

    @Override
    public Map<String, Supplier<List<Controller>>> sidecars() {
        return real.sidecars();
    }

    @Override
    public Optional<Outcome<?>> success(Call call) {
        return real.success(call);
    }

    @Override
    public FileSystems fileSystems(
            BlockDevices devices, Mounts mounts, ProcessRunner tools, Function<BlockDevice, Outcome<byte[]>> heads) {
        FileSystems made =
                real.fileSystems(mutant.devices(devices), mounts, mutant.tools(tools), heads.andThen(mutant::head));
        return new Mistaken.Noting(made, mutant::notes);
    }

    @Override
    public Fences fences() {
        return new MutantFences(real.fences(), mutant);
    }

    private record MutantFences(Fences real, Mutant mutant) implements Fences {
        @Override
        public ClusterStore store(ClusterStore store, Tenure tenure) {
            return mutant.holdsWritesBack() ? real.store(store, tenure) : store;
        }

        @Override
        public CallHandler calls(CallHandler calls, Tenure tenure) {
            return mutant.holdsCallsBack() ? real.calls(calls, tenure) : calls;
        }
    }

    private record MutantAgent(SimulatedControlPlane plane, NodeRef node, Agent real, Mutant mutant) implements Agent {
        @Override
        public List<Controller> controllers(String bootId) {
            Agent read = mutant.remembers() ? real : plane.agent(node).orElseThrow();
            return read.controllers(mutant.boot(bootId)).stream()
                    .<Controller>map(each -> new MutantController(each, mutant))
                    .toList();
        }

        @Override
        public Optional<Outcome<?>> ownCall(Call call) {
            return call instanceof RecordCall && !mutant.records() ? Optional.of(Outcome.done()) : real.ownCall(call);
        }
    }

    private static final class MutantController implements Controller {
        private static final Duration POSTPONED = Duration.ofSeconds(1);

        private final Controller real;
        private final Mutant mutant;
        private final Map<Key, List<EffectResult>> unread = new HashMap<>();
        private final Map<Key, Set<String>> asked = new HashMap<>();

        MutantController(Controller real, Mutant mutant) {
            this.real = real;
            this.mutant = mutant;
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public List<Kind<?>> kinds() {
            return real.kinds();
        }

        @Override
        public Interest interest(Kind<?> kind) {
            return real.interest(kind);
        }

        @Override
        public void missing(ObjectName object, Mailbox mailbox) {
            real.missing(object, mailbox);
        }

        @Override
        public void started(Mailbox mailbox) {
            real.started(mailbox);
        }

        @Override
        public void observe(ObjectChange<?> change, Mailbox mailbox) {
            if (mutant.hears(change)) {
                real.observe(seen(change), mailbox);
            }
        }

        @SuppressWarnings("unchecked") // an object is taken for another of its kind
        private <T extends KubernetesObject> ObjectChange<T> seen(ObjectChange<T> change) {
            return new ObjectChange<>(
                    change.kind(),
                    change.key(),
                    change.before().map(object -> (T) mutant.seen(object)),
                    change.after().map(object -> (T) mutant.seen(object)),
                    change.origin());
        }

        @Override
        public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
            List<EffectResult> results = new ArrayList<>(unread.getOrDefault(key, List.of()));
            situation.results().forEach(result -> results.add(mutant.learned(result)));
            if (mutant.postpones(key, situation)) {
                unread.put(key, results);
                return new Decision(state, List.of(), Optional.of(POSTPONED));
            }
            Decision decision = real.decide(key, state, believing(key, results, situation));
            List<EffectResult> cached = decision.effects().stream()
                    .filter(mutant::believesCache)
                    .map(effect -> Mutant.cached(effect, situation.caches()))
                    .toList();
            List<Effect> rest = decision.effects().stream()
                    .filter(effect -> !mutant.believesCache(effect))
                    .toList();
            if (cached.isEmpty()) {
                unread.remove(key);
            } else if (rest.isEmpty()) {
                decision = real.decide(key, decision.state(), believing(key, cached, situation));
            } else {
                unread.put(key, cached);
                decision = decision.withEffects(rest);
            }
            Set<String> before = asked.computeIfAbsent(key, each -> new HashSet<>());
            Decision planted = mutant.recalled(key, mutant.decided(key, decision, situation), before);
            planted.effects().forEach(effect -> before.add(effect.operation()));
            return planted;
        }

        private Situation believing(Key key, List<EffectResult> results, Situation situation) {
            return new Situation(mutant.shown(key, situation.caches()), situation.now(), situation.backoffs(), results);
        }

        @Override
        public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
            if (mutant.applies()) {
                real.applied(key, before, after, heeding(key, mailbox));
            }
        }

        private Mailbox heeding(Key decided, Mailbox mailbox) {
            return new Mailbox() {
                @Override
                public void inputChanged(Key key) {
                    if (mutant.wakes(decided, key)) {
                        mailbox.inputChanged(key);
                    }
                }

                @Override
                public void recheck(Key key) {
                    if (mutant.wakes(decided, key)) {
                        mailbox.recheck(key);
                    }
                }

                @Override
                public void needs(String what, Set<ObjectName> needed) {
                    mailbox.needs(what, needed);
                }
            };
        }

        @Override
        public List<Concern> concerns(Key key, Caches caches) {
            return mutant.waiting(real.concerns(key, caches));
        }

        @Override
        public Rank rank(Key key) {
            return real.rank(key);
        }
    }
}
