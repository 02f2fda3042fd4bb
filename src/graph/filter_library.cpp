#include "graph/filter_library.hpp"

#include <algorithm>
#include <set>

#include "base/log.hpp"
#include "graph/param_value_private.hpp"
#include "graph/text_private.hpp"

namespace fs = std::filesystem;

namespace weft::graph {
namespace {

struct KindFolder {
    FilterKind kind;
    const char* folder;
    const char* title;
};
constexpr KindFolder kinds[] = {{FilterKind::picture, "picture", "filter"},
                                {FilterKind::transition, "transition", "transition"},
                                {FilterKind::generator, "generator", "generator"}};

const char* title(FilterKind kind) {
    return kinds[static_cast<size_t>(kind)].title;
}

void add_errors(const Error& e, std::vector<Error>& errors) {
    if (const auto* several = dynamic_cast<const Errors*>(&e))
        errors.insert(errors.end(), several->all().begin(), several->all().end());
    else
        errors.push_back(e);
}

std::vector<fs::path> manifests_in(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem))
        if (entry->path().extension() == ".yaml") out.push_back(entry->path());
    std::sort(out.begin(), out.end());
    return out;
}

// The arguments of one use, each matched with the parameter it is meant for.
class UseReader {
  public:
    UseReader(const FilterManifest& manifest, const FilterSpec& spec, std::vector<Error>& errors)
        : manifest_(manifest), spec_(spec), errors_(errors),
          who_(std::string(title(manifest.kind)) + " '" + manifest.name + "'") {}

    std::map<std::string, ParamValue> read() {
        for (size_t i = 0; i < spec_.args.size(); ++i) {
            place_ = i < spec_.arg_places.size() ? spec_.arg_places[i] : spec_.place;
            const auto& [key, value] = spec_.args[i];
            if (key.empty())
                positional(value);
            else
                named(key, value);
        }
        for (const ParamSpec& param : manifest_.params) {
            if (values_.contains(param.name)) continue;
            if (param.required && !seen_.contains(param.name))
                errors_.emplace_back(ErrorKind::usage, who_ + ": " + param.name + " is missing", spec_.place);
            values_[param.name] = param.default_value;
        }
        return std::move(values_);
    }

  private:
    void complain(const std::string& problem) {
        errors_.emplace_back(ErrorKind::usage, who_ + ": " + problem, place_);
    }

    void positional(const ArgText& value) {
        if (named_) {
            complain("a value without a name stands behind a named one");
            return;
        }
        const auto* list = std::get_if<std::vector<std::string>>(&value);
        const bool takes_list =
            next_ < manifest_.params.size() && (manifest_.params[next_].type == ParamType::list ||
                                                manifest_.params[next_].type == ParamType::curve);
        if (list && !takes_list) { // {crop: [100, 50]}: as many positional values
            for (const std::string& item : *list)
                one_positional(item);
        } else {
            one_positional(value);
        }
    }

    void one_positional(const ArgText& value) {
        if (next_ >= manifest_.params.size()) {
            complain("has " + std::to_string(manifest_.params.size()) + " parameters, got one value more");
            return;
        }
        set(manifest_.params[next_++], value);
    }

    void named(const std::string& key, const ArgText& value) {
        named_ = true;
        if (const ParamSpec* param = manifest_.param(key)) {
            set(*param, value);
            return;
        }
        std::vector<std::string> names;
        for (const ParamSpec& param : manifest_.params)
            names.push_back(param.name);
        complain("has no parameter '" + key + "'" + suggestion(key, names));
    }

    void set(const ParamSpec& param, const ArgText& value) {
        if (!seen_.insert(param.name).second) {
            complain(param.name + " is given twice");
            return;
        }
        if (auto read = read_param(param, value, place_, who_, errors_))
            values_[param.name] = std::move(*read);
    }

    const FilterManifest& manifest_;
    const FilterSpec& spec_;
    std::vector<Error>& errors_;
    std::string who_;
    Place place_;
    std::map<std::string, ParamValue> values_;
    std::set<std::string> seen_;
    size_t next_ = 0;
    bool named_ = false;
};

} // namespace

FilterLibrary::FilterLibrary(const std::vector<fs::path>& folders) {
    std::vector<Error> errors;
    for (const fs::path& folder : folders) {
        for (const KindFolder& kind : kinds) {
            for (const fs::path& file : manifests_in(folder / kind.folder)) {
                try {
                    auto manifest = std::make_shared<const FilterManifest>(load_manifest(file, kind.kind));
                    const auto same = [&](const auto& other) {
                        return other->kind == kind.kind && other->name == manifest->name;
                    };
                    const auto earlier = std::find_if(all_.begin(), all_.end(), same);
                    if (earlier == all_.end()) {
                        all_.push_back(std::move(manifest));
                        continue;
                    }
                    log("graph").info("{} '{}': {} replaces {}", kind.title, manifest->name, file.string(),
                                      (*earlier)->manifest_file.string());
                    *earlier = std::move(manifest);
                } catch (const Error& e) {
                    add_errors(e, errors);
                }
            }
        }
    }
    if (!errors.empty()) throw Errors(std::move(errors));
}

std::shared_ptr<const FilterManifest> FilterLibrary::find(FilterKind kind, const std::string& name) const {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const auto& m) { return m->kind == kind && m->name == name; });
    return found == all_.end() ? nullptr : *found;
}

std::optional<FilterUse> FilterLibrary::use(FilterKind kind, const FilterSpec& spec,
                                            std::vector<Error>& errors) const {
    const std::shared_ptr<const FilterManifest> manifest = find(kind, spec.name);
    if (!manifest) {
        for (const KindFolder& other : kinds) {
            if (other.kind == kind || !find(other.kind, spec.name)) continue;
            errors.emplace_back(ErrorKind::not_found,
                                "'" + spec.name + "' is a " + other.title + ", expected a " + title(kind),
                                spec.place);
            return std::nullopt;
        }
        std::vector<std::string> names;
        for (const auto& m : all_)
            if (m->kind == kind) names.push_back(m->name);
        errors.emplace_back(ErrorKind::not_found,
                            std::string("no ") + title(kind) + " '" + spec.name + "'" +
                                suggestion(spec.name, names),
                            spec.place);
        return std::nullopt;
    }
    const size_t before = errors.size();
    FilterUse out{manifest, UseReader(*manifest, spec, errors).read(), spec.place};
    if (errors.size() != before) return std::nullopt;
    return out;
}

std::map<std::string, double> evaluate_params(const FilterUse& use,
                                              const std::map<std::string, double>& extra) {
    std::map<std::string, double> values = extra;
    for (const ParamSpec& param : use.manifest->params) {
        const auto found = use.values.find(param.name);
        const ParamValue& value = found == use.values.end() ? param.default_value : found->second;
        if (const auto* number = std::get_if<double>(&value)) {
            values[param.name] = *number;
        } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
            if (param.type == ParamType::colour && list->size() == 4) {
                const char* parts[] = {"_r", "_g", "_b", "_a"};
                for (size_t i = 0; i < 4; ++i)
                    values[param.name + parts[i]] = (*list)[i];
            } else {
                values[param.name + "_count"] = static_cast<double>(list->size());
            }
        }
    }
    for (const auto& [name, expression] : use.manifest->derived) {
        try {
            values[name] = evaluate(expression, values);
        } catch (const Error& e) {
            throw Error(ErrorKind::bad_input,
                        "filter '" + use.manifest->name + "': " + name + ": " + e.message(), use.place);
        }
    }
    return values;
}

} // namespace weft::graph
